/* SPDX-License-Identifier: BSD-2-Clause */
// row: trace.string
/* A string is traced left-justified in 33 columns; a longer one pushes the rest. */
/* filter: cpu */
BEGIN
{
	trace("short");
	trace("");
	trace("a string of more than thirty-three characters");
	trace(1);
	exit(0);
}
