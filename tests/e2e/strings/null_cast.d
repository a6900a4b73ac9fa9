// SPDX-License-Identifier: BSD-2-Clause
// run: -q
/* NULL made a string is a string that is NULL: a variable takes it, and reading it is a fault. */
string declared;

BEGIN
{
	fresh = stringof(NULL);
	declared = "text";
	declared = (string)0;
	self->s = "text";
	self->s = stringof(0);
	names["a"] = (string)NULL;
	printf("%d%d%d%d ", fresh == NULL, declared == NULL, self->s == NULL, names["a"] == NULL);
	printf("%d %d\n", sizeof(fresh) == sizeof(string), declared == stringof(NULL));
	fresh = "now a text";
	printf("%s\n", fresh);
}

BEGIN { trace(stringof(NULL)); }
BEGIN { printf("%s", (string)0); }
BEGIN { printf("%d", strlen(stringof(0))); }
BEGIN { exit(0); }
ERROR { printf("fault %d at %x\n", arg4, arg5); }
