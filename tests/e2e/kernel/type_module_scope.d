// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A type of the kernel with its module.
BEGIN { printf("%d\n", sizeof (struct vmlinux`list_head)); exit(0); }
