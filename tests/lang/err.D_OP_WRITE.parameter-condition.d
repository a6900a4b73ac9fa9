// SPDX-License-Identifier: BSD-2-Clause
syscall::write:entry /count = 100/ { }
