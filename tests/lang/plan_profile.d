// SPDX-License-Identifier: BSD-2-Clause
// The plan: program counters of the kernel and of the program.
// filter: kind
// needs: root
profile-97 { trace(arg0); trace(arg1); }
tick-1s { trace(arg0); }
