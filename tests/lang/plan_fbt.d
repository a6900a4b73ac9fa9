// SPDX-License-Identifier: BSD-2-Clause
// The plan: a function of the kernel.
// filter: kind
// needs: root fentry
// on: newest
fbt::vfs_read:entry { trace(arg2); trace(args[0]->f_flags); }
fbt::vfs_read:return { trace(arg1); }
