// SPDX-License-Identifier: BSD-2-Clause
// The plan: the result of a function.
// filter: kind
// needs: root uprobes
// run: -s %f %t/syscalls
uprobe:$1:main:return { trace(arg1); trace(retval); }
