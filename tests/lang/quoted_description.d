// SPDX-License-Identifier: BSD-2-Clause
// A description may be quoted as a whole: names of C++ have brackets and blanks.
"syscall::read:entry", syscall::write:entry, "syscall::close:entry" /arg0 > 2/ { trace("a:b"); }
