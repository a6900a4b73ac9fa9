// SPDX-License-Identifier: BSD-2-Clause
// A constant of a kernel enum that is also a variable.
enum pid_type e;
int PIDTYPE_TGID;
BEGIN { trace(e == PIDTYPE_TGID); }
