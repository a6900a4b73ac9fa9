/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing else has the name, and the value is a constant: it was meant to be compared. */
syscall::write:return /ret = 5/ { }
syscall::read:return /retval = 5/ { }
BEGIN { if (left = "a") { } }
