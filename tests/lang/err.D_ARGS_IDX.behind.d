/* SPDX-License-Identifier: BSD-2-Clause */
/* needs: root */
/* read(2) has three arguments, though six registers are there for them. */
syscall::read:entry
{
	trace(args[3]);
}
