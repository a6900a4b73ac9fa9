// SPDX-License-Identifier: BSD-2-Clause
// A program may use these names for itself.
#pragma D option quiet
int ncpus;
BEGIN { ncpus = 7; pcomm = "mine"; jiffies = 3; printf("%d %s %d\n", ncpus, pcomm, jiffies); exit(0); }
