// SPDX-License-Identifier: BSD-2-Clause
// The plan: a counter that overflows.
// filter: kind
// needs: root
cpc:::cpu_clock-all-1000000000 { @[arg0 != 0, arg1 != 0] = count(); }
