// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// arg0 of BEGIN are zeros.
BEGIN { printf("%d %d\n", arg0, arg9); exit(0); }
