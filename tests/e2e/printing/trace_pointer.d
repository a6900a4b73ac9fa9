/* SPDX-License-Identifier: BSD-2-Clause */
/* A pointer is traced as an unsigned 64-bit decimal. */
/* filter: cpu */
BEGIN { trace((void *)0x1000); trace((char *)-1); exit(0); }
