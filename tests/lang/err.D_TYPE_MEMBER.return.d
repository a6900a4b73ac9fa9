/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters are gone when a function returns. */
syscall::read:return { trace(args.count); }
