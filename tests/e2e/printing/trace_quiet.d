/* SPDX-License-Identifier: BSD-2-Clause */
/* In quiet mode trace() prints without padding, and no newline. */
#pragma D option quiet
BEGIN
{
	trace(42); trace((char)-1); trace("str"); trace(5ULL); trace((short)7);
	exit(0);
}
