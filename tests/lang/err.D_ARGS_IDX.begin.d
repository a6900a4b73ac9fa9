/* SPDX-License-Identifier: BSD-2-Clause */
/* No typed arguments at all: no index is within them. */
BEGIN
{
	trace(args[0]);
}
