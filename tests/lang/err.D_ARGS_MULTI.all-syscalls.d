/* SPDX-License-Identifier: BSD-2-Clause */
/* needs: root */
syscall:::entry
{
	trace(args[0]);
}
