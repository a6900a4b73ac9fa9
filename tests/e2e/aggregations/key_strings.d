/* SPDX-License-Identifier: BSD-2-Clause */
// row: printa.keystr
/* String keys: empty, long ones that push the value. */
#pragma D option quiet
BEGIN
{
	@a[""] = sum(1);
	@a["a key that is much longer than the fifty columns that it is given"] = sum(2);
	exit(0);
}
