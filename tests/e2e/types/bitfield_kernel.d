// SPDX-License-Identifier: BSD-2-Clause
// The same of the kernel's own bit-fields.
// needs: btf
#pragma D option quiet
BEGIN { printf("%d %d\n", curthread->in_execve - 1 < 0, curthread->in_execve > -1); exit(0); }
