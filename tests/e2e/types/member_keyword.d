/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.2.3
/* After -> and . a keyword is an ordinary name. */
#pragma D option quiet
BEGIN
{
	self->for = 3;
	this->return = 4;
	printf("%d %d\n", self->for, this->return);
	exit(0);
}
