/* SPDX-License-Identifier: BSD-2-Clause */
/* An operand that is an identifier stands for a name. */
/* args: total part pid */
#pragma D option quiet
BEGIN
{
	$1 = 5;
	self->$2 = 6;
	printf("%d %d %d\n", total, self->part, $1 + self->$2);
	printf("%s %s\n", $$1, $3 == pid ? "pid" : "other");
	exit(0);
}
