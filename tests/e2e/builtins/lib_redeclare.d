/* SPDX-License-Identifier: BSD-2-Clause */
/* A program may declare a name of its own over one of the library. */
#pragma D option quiet
inline int SIGKILL = 77;
typedef struct psinfo { int mine; } psinfo_t;
psinfo_t p;
BEGIN { p.mine = 3; printf("%d %d %d\n", SIGKILL, SIGTERM, p.mine); exit(0); }
