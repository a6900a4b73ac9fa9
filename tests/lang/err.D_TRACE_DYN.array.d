// SPDX-License-Identifier: BSD-2-Clause
// An associative array cannot be traced as a whole.
BEGIN { x[1] = 1; trace(x); }
