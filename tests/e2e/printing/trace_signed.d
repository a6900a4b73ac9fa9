/* SPDX-License-Identifier: BSD-2-Clause */
// row: trace.signed
/* Columns of trace() for signed integers of 8, 16, 32 and 64 bits. */
/* filter: cpu */
BEGIN
{
	trace((char)-7);
	trace((short)-300);
	trace(-70000);
	trace(-5000000000);
	trace((int8_t)127);
	trace((int16_t)32767);
	trace(0x7fffffff);
	trace(0x7fffffffffffffff);
	exit(0);
}
