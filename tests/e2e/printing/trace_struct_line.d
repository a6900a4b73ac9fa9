/* SPDX-License-Identifier: BSD-2-Clause */
/* The dump follows the prefix, and the line ends after it (the filter changes the heading of the dump). */
/* filter: cpu */
struct s { char c[20]; };
struct s g;
BEGIN { g.c[0] = 'h'; g.c[1] = 'i'; g.c[17] = '!'; trace(g); trace(1); exit(0); }
