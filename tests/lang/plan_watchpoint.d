// SPDX-License-Identifier: BSD-2-Clause
// The plan: accesses to an address.
// filter: kind
// needs: root
// trigger: sleeper 0 0 0
watchpoint:0x1000:8:w { trace(arg0); @[execname] = count(); }
