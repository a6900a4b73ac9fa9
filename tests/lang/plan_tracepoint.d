// SPDX-License-Identifier: BSD-2-Clause
// The plan: fields of an event: numbers and text.
// filter: kind
// needs: root
tracepoint:sched::sched_switch { trace(args.prev_pid); trace(args.next_comm); }
