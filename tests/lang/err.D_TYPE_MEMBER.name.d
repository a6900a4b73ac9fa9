/* SPDX-License-Identifier: BSD-2-Clause */
/* needs: root */
syscall::read:entry
{
	trace(args.foo);
}
