/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields of an event by args.x, args->x, x, and args[0]->x, which is the same where the first field is no struct. */
// run: -c 'true'
#pragma D option quiet
tracepoint:syscalls:sys_enter_exit_group /pid == $target/
{
	printf("%d %d %d %d\n", args.error_code, args->error_code, error_code, args[0]->error_code);
}
tracepoint:sched:sched_process_exit /pid == $target/
{
	printf("%d %s %d\n", args[0]->prio == args.prio, args[0]->comm, args[0]->pid == args.pid);
}
