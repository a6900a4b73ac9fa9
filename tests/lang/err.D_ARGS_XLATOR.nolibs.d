// SPDX-License-Identifier: BSD-2-Clause
// run: -x nolibs
// The type that sched promises comes from a library, which is not read.
sched:::off-cpu { trace(args[0]->pr_lwpid); exit(0); }
