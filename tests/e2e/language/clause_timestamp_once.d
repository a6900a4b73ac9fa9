// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// All clauses of a firing see one timestamp.
BEGIN { a = timestamp; b = walltimestamp; } BEGIN { printf("%d %d %d\n", a == timestamp, timestamp == timestamp, b < walltimestamp); exit(0); }
