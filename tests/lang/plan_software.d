// SPDX-License-Identifier: BSD-2-Clause
// The plan: an event of the kernel that is counted.
// filter: kind
// needs: root
software:::cpu-clock-1000000 { @[arg0] = count(); }
