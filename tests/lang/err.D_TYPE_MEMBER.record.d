/* SPDX-License-Identifier: BSD-2-Clause */
/* args[0]->x of an event: what it has no field of. */
tracepoint:sched:sched_switch { trace(args[0]->prev_com); }
