// SPDX-License-Identifier: BSD-2-Clause
// The plan: events of the system that the kernel counts: five calls, and a switch.
// filter: kind
// needs: root
sysinfo:::readch { @read = sum(arg0); }
sysinfo:::pswitch { @[execname] = sum(arg0); }
