// SPDX-License-Identifier: BSD-2-Clause
// The plan: the last argument of a system call.
// filter: kind
// needs: root
syscall::mmap:entry { trace(arg5); trace(args.flags); }
