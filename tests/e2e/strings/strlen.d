/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.strlen
/* strlen counts bytes up to the NUL. */
#pragma D option quiet
BEGIN
{
	this->s = "four";
	printf("%d %d %d %d\n", strlen(""), strlen("a"), strlen(this->s), strlen("\303\251"));
	printf("%d\n", sizeof(strlen("")));
	exit(0);
}
