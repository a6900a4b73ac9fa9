// SPDX-License-Identifier: BSD-2-Clause
// The plan: a stable probe, and the arguments of its base probe.
// filter: kind
// needs: root
proc:::exec-success { trace(arg0); }
proc:::exit { trace(args[0]); }
