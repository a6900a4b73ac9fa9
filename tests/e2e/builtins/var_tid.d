/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.tid
/* tid is the number of the thread, as the kernel has it. */
// needs: btf
#pragma D option quiet
BEGIN { printf("%d %d %d\n", tid == curthread->pid, sizeof(tid), (int)tid > 0); exit(0); }
