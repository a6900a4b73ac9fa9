/* SPDX-License-Identifier: BSD-2-Clause */
/* One line for each clause that records; printf and trace share the line of their clause. */
/* filter: cpu */
BEGIN { trace(1); }
BEGIN { printf("text"); trace(2); printf("more"); }
BEGIN { x = 5; }
BEGIN { printf("with newline\n"); }
BEGIN { exit(0); }
