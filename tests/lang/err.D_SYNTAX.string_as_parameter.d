// SPDX-License-Identifier: BSD-2-Clause
syscall::read:entry { trace(string != 0); }
