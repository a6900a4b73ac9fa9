// SPDX-License-Identifier: BSD-2-Clause
// The plan: saved registers of a system call.
// filter: kind
// needs: root
syscall::read:entry { trace(arg0); trace(args[2]); trace(copyinstr(arg1)); }
