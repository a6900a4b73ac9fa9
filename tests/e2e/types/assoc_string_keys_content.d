/* SPDX-License-Identifier: BSD-2-Clause */
/* String keys compare by content, also when longer strings were there before. */
#pragma D option quiet
BEGIN
{
	s = "a long string that is stored first";
	a[s] = 1;
	s = "short";
	a[s] = 2;
	a["other"] = 3;
	printf("%d %d %d %d\n", a["short"], a[s], a["a long string that is stored first"], a["shor"]);
	this->k = "other";
	printf("%d\n", a[this->k]);
	exit(0);
}
