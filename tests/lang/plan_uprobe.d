// SPDX-License-Identifier: BSD-2-Clause
// The plan: registers at the entry of a function.
// filter: kind
// needs: root uprobes
// run: -s %f %t/syscalls
uprobe:$1:main:entry { trace(arg0); trace(args[1]); trace(arg5); }
