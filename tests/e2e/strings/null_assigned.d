// SPDX-License-Identifier: BSD-2-Clause
// Any string variable may be given NULL or 0, and is then equal to NULL and to no text.
#pragma D option quiet
self string never; string each[int];
BEGIN
{
	s = "abc"; this->t = "x"; self->u = "y"; a[1] = "z"; t = "ab";
	s = NULL; this->t = 0; self->u = NULL; a[1] = 0;
	printf("%d%d%d%d%d%d\n", s == NULL, this->t == NULL, self->u == 0, a[1] == NULL, self->never == NULL, each[3] == NULL);
	printf("%d%d%d%d%d%d\n", s == "", s == t, s != t, s < t, s <= t, s == "abc");
	printf("%d%d%d%d\n", s == self->never, s != each[1], self->never == "", each[4] == "");
	s = "back";
	printf("%s %d %s\n", s, s == NULL, s == "back" ? "yes" : "no");
}
BEGIN { trace(self->never); }
BEGIN { printf("%s", each[9]); }
BEGIN { trace(self->never + 1); }
BEGIN { s = NULL; trace(s); }
ERROR { printf("error %d %d\n", arg4, arg5); }
BEGIN { exit(0); }
