// SPDX-License-Identifier: BSD-2-Clause
// The plan: the result of a system call, and errno of it.
// filter: kind
// needs: root
syscall::read:return { trace(arg1); trace(retval); trace(errno); }
