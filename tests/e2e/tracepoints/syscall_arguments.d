/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.arg0 var.args
/* Arguments of system calls: the size and descriptor of each write. */
/* trigger: syscalls 1 */
#pragma D option quiet
syscall::write:entry /pid == $target && arg2 == 5/ { @w["bytes"] = sum(arg2); self->n = arg2; }
syscall::write:return /self->n/ { @r["returned"] = sum(arg1); @e[errno] = count(); self->n = 0; }
