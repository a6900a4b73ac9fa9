/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings of 64 KiB: the last character is found, cut where strsize says. */
#pragma D option quiet
#pragma D option strsize=65536
BEGIN
{
	a = "0123456789abcde/";
	a = strjoin(a, a); a = strjoin(a, a); a = strjoin(a, a); a = strjoin(a, a); a = strjoin(a, a);
	a = strjoin(a, a); a = strjoin(a, a); a = strjoin(a, a); a = strjoin(a, a); a = strjoin(a, a);
	a = strjoin(a, a); a = strjoin(a, a);
	printf("%d ", strlen(a));
	a = strjoin(a, "more");
	printf("%d\n", strlen(a));
}
BEGIN { printf("%d %d %d\n", index(a, "e/0", 60000), rindex(a, "0"), rindex(a, "/", 65533)); }
BEGIN { b = substr(a, 1); printf("%d %d\n", a < b, a == strjoin("0", b)); }
BEGIN { printf("%d %s\n", strlen(toupper(a)), basename(cleanpath(a))); }
BEGIN { printf("%s\n", substr(toupper(a), -6)); exit(0); }
