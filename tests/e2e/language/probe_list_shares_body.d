// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Descriptions joined by commas share predicate and body.
dtrace:::BEGIN, dtrace:::END /1/ { printf("%s\n", probename); } BEGIN { exit(0); }
