// SPDX-License-Identifier: BSD-2-Clause
// What user mode does not leave: ERR is -1, segments are illegal.  R_R1 is rbx.
// trigger: syscalls 1
#pragma D option quiet
syscall::getpgid:entry /pid == $target/ { printf("%d %d\n", (int)uregs[R_ERR], R_R1 == R_RBX); }
syscall::getpgid:entry /pid == $target/ { trace(uregs[R_DS]); }
ERROR { printf("error %d\n", arg4); exit(0); }
