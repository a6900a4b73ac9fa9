#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exitsnoop.d - which processes end, how, and after how long?
 *
 * USAGE: exitsnoop.d [OPTION]...
 *
 * AGE is the time since the process was made, also if that was before the script. HOW is "status"
 * with the exit status, "signal" with the number of the signal that ended the process, or "core"
 * if the signal also wrote a core file. Threads that end before their process are not shown.
 *
 * EXAMPLES
 *    exitsnoop.d                 all processes, until ^C
 *    exitsnoop.d -f              only those that failed: a status other than 0, or a signal
 *    exitsnoop.d -n cc1          only those of one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param failed,f flag "only failures: a status other than 0, or a signal"

/* What wait() gets: of the process (SIGNAL_GROUP_EXIT of the kernel is 4), or of its first thread. */
inline int wait_status = curthread->signal->flags & 4 ? curthread->signal->group_exit_code :
    curthread->group_leader->exit_code;

BEGIN
{
	printf("%-8s %-15s %7s %7s %11s %-6s %s\n", "TIME", "PROGRAM", "PID", "PPID", "AGE(ms)",
	    "HOW", "NUMBER");
}

/* The fields of the process's first thread hold for the process. */
proc:::exit
/($name == "" || execname == $name) &&
    (!$failed || wait_status)/
{
	this->code = wait_status;
	this->signal = this->code & 0x7f;
	printf("%-8s %-15s %7d %7d %11d %-6s %d\n", strftime("%H:%M:%S", walltimestamp), execname,
	    pid, ppid, (timestamp - curthread->group_leader->start_time) / 1000000,
	    !this->signal ? "status" : this->code & 0x80 ? "core" : "signal",
	    this->signal ? this->signal : this->code >> 8);
}
