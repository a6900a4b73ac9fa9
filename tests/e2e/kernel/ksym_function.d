/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel function is its address, with & or without. */
#pragma D option quiet
BEGIN { printf("%d %d\n", (uint64_t)&`vfs_read == (uint64_t)`vfs_read, (int64_t)&vmlinux`vfs_read < 0); func(`vfs_read); exit(0); }
