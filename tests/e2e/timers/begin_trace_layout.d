/* SPDX-License-Identifier: BSD-2-Clause */
/* filter: cpu */
/* exit: 3 */
/* The default output of a firing, to the column: header, prefix, integers and strings; and exit's status. */
BEGIN
{
	trace(42);
	trace("hi");
	exit(3);
}
