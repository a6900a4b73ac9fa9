/* SPDX-License-Identifier: BSD-2-Clause */
/* Results are cut to strsize; numbers and addresses, too. */
#pragma D option quiet
#pragma D option strsize=9
BEGIN
{
	printf("%s|%s|", strjoin("abcdef", "ghijkl"), lltostr(-1234567890));
	printf("%s|%s|", toupper("abcdefghijkl"), inet_ntop(2, alloca(4)));
	printf("%d|%s|%s\n", strlen("abcdefghijkl"), lltostr(7), substr("abcdefghij", 2));
	exit(0);
}
