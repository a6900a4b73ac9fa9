// SPDX-License-Identifier: BSD-2-Clause
// Loops in loops in loops.
BEGIN { for (i = 0; i < 3; i++) for (j = 0; j < 3; j++) for (k = 0; k < 3; k++) x++; }
