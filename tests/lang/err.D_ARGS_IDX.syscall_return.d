/* SPDX-License-Identifier: BSD-2-Clause */
/* At the return of a system call its parameters are gone: what to do instead is told. */
syscall::read:return { trace(args[2]); }
