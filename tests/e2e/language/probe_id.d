// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A number selects a probe by its id.
1 { printf("%s\n", probename); exit(0); }
