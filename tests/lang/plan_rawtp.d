// SPDX-License-Identifier: BSD-2-Clause
// The plan: objects that the verifier knows.
// filter: kind
// needs: root
rawtp:::sched_switch { trace(args[1]->pid); trace(args[2]->comm); }
