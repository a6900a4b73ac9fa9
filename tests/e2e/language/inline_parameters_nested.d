// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// An inline with parameters is used with brackets.
inline int max[int a, int b] = a > b ? a : b; inline string greet[string n] = strjoin("hi ", n);
BEGIN { printf("%d %d %s\n", max[3, 9], max[max[1, 2], 0], greet["you"]); exit(0); }
