// SPDX-License-Identifier: BSD-2-Clause
// needs: syscall:read syscall:getpid
// What a register holds after the last argument of a system call is no argument of it: told once.
#pragma D option quiet
syscall::read:entry { @ = sum(arg3); @ = sum(arg3); }
syscall::read:return { @ = sum(arg2); }
syscall::getpid:entry { @ = sum(arg0); }
syscall::read:entry, syscall::mmap:entry { @ = sum(arg3); }
syscall::read:entry, syscall::mmap:entry { @ = sum(probefunc == "mmap" ? arg3 : 0); }
sched:::on-cpu { @ = sum(arg0); }
proc:::exit { @ = sum(arg0); @ = sum(arg1); }
BEGIN { exit(0); }
END { trunc(@); printf("done"); }
