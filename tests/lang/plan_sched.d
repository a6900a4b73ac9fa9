// SPDX-License-Identifier: BSD-2-Clause
// The plan: a stable probe whose arguments are translated.
// filter: kind
// needs: root
sched:::off-cpu { trace(args[0]->pr_lwpid); trace(args[1]->pr_pid); }
