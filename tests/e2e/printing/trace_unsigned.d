/* SPDX-License-Identifier: BSD-2-Clause */
// row: trace.unsigned
/* Columns of trace() for unsigned integers: the 64-bit one is one wider. */
/* filter: cpu */
BEGIN
{
	trace((unsigned char)200);
	trace((unsigned short)60000);
	trace(4000000000u);
	trace(0xffffffffffffffff);
	trace((uint64_t)5);
	trace(timestamp - timestamp);
	trace(sizeof(int));
	exit(0);
}
