#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * signals.d - who sends which signal to whom, and does it arrive?
 *
 * USAGE: signals.d [NUMBER]
 *
 *    NUMBER    only this signal (default: all)
 *
 * SENDER is the program that runs when the signal is generated. For a SIGSEGV it is often the
 * receiver itself; for a SIGALRM also any program that the timer interrupted. RESULT is "sent"
 * if the signal was queued, "ignored" if the receiver ignores it, "pending" if one was already
 * waiting.
 *
 * EXAMPLES
 *    signals.d                   all signals, until ^C
 *    signals.d 9                 only SIGKILL
 */
#pragma D option defaultargs

inline string name[int n] =
    n == 1 ? "HUP" : n == 2 ? "INT" : n == 3 ? "QUIT" : n == 4 ? "ILL" :
    n == 5 ? "TRAP" : n == 6 ? "ABRT" : n == 7 ? "BUS" : n == 8 ? "FPE" :
    n == 9 ? "KILL" : n == 10 ? "USR1" : n == 11 ? "SEGV" : n == 12 ? "USR2" :
    n == 13 ? "PIPE" : n == 14 ? "ALRM" : n == 15 ? "TERM" : n == 17 ? "CHLD" :
    n == 18 ? "CONT" : n == 19 ? "STOP" : n == 20 ? "TSTP" : n == 28 ? "WINCH" : "-";

inline string outcome[int n] =
    n == 0 ? "sent" : n == 1 ? "ignored" : n == 2 ? "pending" : "lost";

BEGIN
{
	printf("%-15s %7s  %3s %-6s %-15s %7s %s\n",
	    "SENDER", "PID", "SIG", "NAME", "RECEIVER", "PID", "RESULT");
}

tracepoint:signal:signal_generate
/!$1 || sig == $1/
{
	printf("%-15s %7d  %3d %-6s %-15s %7d %s\n", execname, pid, sig, name[sig],
	    args.comm, args.pid, outcome[result]);
}
