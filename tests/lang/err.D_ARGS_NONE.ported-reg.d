/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers where the probe has none. */
syscall::read:entry { trace(reg("di")); exit(0); }
