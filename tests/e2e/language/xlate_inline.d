/* SPDX-License-Identifier: BSD-2-Clause */
/* An inline of a translated pointer. */
#pragma D option quiet
struct num { int next; };
translator struct num < int N > { next = N + 1; };
int base;
inline struct num *cur = xlate <struct num *>(base);
BEGIN { base = 5; printf("%d ", cur->next); base = 9; printf("%d\n", cur->next); exit(0); }
