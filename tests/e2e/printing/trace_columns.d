/* SPDX-License-Identifier: BSD-2-Clause */
/* Default output: header, prefix and the widths of trace() by type. */
BEGIN
{
	trace(42);
	trace("str");
	trace((char)7);
	trace((short)8);
	trace(9LL);
	trace(10ULL);
	trace(11u);
	exit(0);
}
/* filter: cpu */
