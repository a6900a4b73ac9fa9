/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.epid var.id
/* id is the number of -l; epid has it in its upper half, and another lower half in each clause. */
#pragma D option quiet
BEGIN { printf("%d %d %d\n", id, epid >> 32 == id, sizeof(epid)); first = epid; }
BEGIN { printf("%d %d\n", epid >> 32 == id, epid != first); }
END { printf("%d %d\n", id, epid >> 32 == id); }
BEGIN { exit(0); }
