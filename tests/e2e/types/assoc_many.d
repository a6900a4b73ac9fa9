/* SPDX-License-Identifier: BSD-2-Clause */
/* Two hundred elements, half of which are deleted again. */
#pragma D option quiet
int i; int sum_;
tick-1ms /i < 200/ { a[i, "k"] = i * 3; i++; sum_ += a[i - 1, "k"]; }
tick-1ms /i >= 200/ { printf("%d %d %d\n", sum_, a[0, "k"], a[199, "k"]); exit(0); }
BEGIN { i = 0; sum_ = 0; }
