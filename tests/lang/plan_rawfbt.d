// SPDX-License-Identifier: BSD-2-Clause
// The plan: a function of the kernel, by its registers.
// filter: kind
// needs: root kprobes
// on: newest
rawfbt::vfs_read:entry { trace(arg2); }
