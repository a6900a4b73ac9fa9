// SPDX-License-Identifier: BSD-2-Clause
// An associative array without an index has no value.
BEGIN { x[1] = 1; x; }
