// SPDX-License-Identifier: BSD-2-Clause
// The plan: fields of an event by their numbers.
// filter: kind
// needs: root
sdt:sched::sched_wakeup { trace(arg1); trace(arg2); }
