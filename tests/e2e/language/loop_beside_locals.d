// SPDX-License-Identifier: BSD-2-Clause
// where: both
// args: 7
// Variables that a loop does not use do not matter to it.
#pragma D option quiet
this long v0;
this long v1;
this long v2;
this long v3;
this long v4;
this long v5;
this long v6;
this long v7;
this long v8;
this long v9;
this long v10;
this long v11;
this long v12;
this long v13;
this long v14;
this long v15;
this long v16;
this long v17;
this long v18;
this long v19;
BEGIN
{
	this->v1 = pid - pid;
	this->v2 = $1;
	for (; this->v1 < 12; this->v1++) {
		this->v2 = this->v3 ^ this->v1;
		this->v3 = this->v2 * 3;
	}
	printf("%d %d\n", this->v2, this->v3);
	exit(0);
}
