// SPDX-License-Identifier: BSD-2-Clause
// The plan: a probe of a program, with arguments at each place that there is.
// filter: kind
// needs: root uprobes
// trigger: usdt 0
app$target:::places { trace(arg0); trace(args[2]); trace(arg5); trace(arg6); trace(arg9); }
