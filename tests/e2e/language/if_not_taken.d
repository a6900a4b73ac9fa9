/* SPDX-License-Identifier: BSD-2-Clause */
// filter: cpu
/* A clause whose actions all stand in branches that were not taken prints no line. */
BEGIN { x = 0; }
BEGIN { if (x) { printf("x"); } }
BEGIN { if (x) { trace(1); } else { y = 2; } }
BEGIN { if (x) { trace(1); } else { trace(y); } }
BEGIN { exit(0); }
