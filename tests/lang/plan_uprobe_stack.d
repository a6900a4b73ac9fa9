// SPDX-License-Identifier: BSD-2-Clause
// The plan: arguments on the stack, which a function without types has, too.
// filter: kind
// needs: root uprobes
// run: -s %f %t/syscalls
uprobe:$1:main:entry { trace(arg6); trace(arg7); }
