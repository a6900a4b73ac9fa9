// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A clause sees what earlier ones of the same firing assigned.
BEGIN { x = 1; } BEGIN /x == 1/ { x = 2; } BEGIN /x == 1/ { printf("no"); } BEGIN /x == 2/ { printf("yes\n"); exit(0); }
