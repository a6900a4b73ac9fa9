// SPDX-License-Identifier: BSD-2-Clause
// The plan: a field whose place and length are in the record.
// filter: kind
// needs: root
tracepoint:sched::sched_process_exec { trace(args.filename); trace(args.pid); }
