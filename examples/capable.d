#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capable.d - for which capabilities does the kernel check, in which programs, and are they there?
 *
 * USAGE: capable.d [OPTION]...
 *
 * Counts the checks by program, capability and answer until ^C: so one learns which capabilities a
 * service needs, and gives it those alone. Checks that the kernel makes only to know (no audit) are
 * in it, too. Needs probes on kernel functions.
 *
 * EXAMPLES
 *    capable.d -n ping           one program
 *    capable.d -d                only what was denied
 */
#pragma D param name,n string "only programs of this name"
#pragma D param denied,d flag "only checks that were denied"

inline string CAP[int n] =
    n == 0 ? "CHOWN" : n == 1 ? "DAC_OVERRIDE" : n == 2 ? "DAC_READ_SEARCH" : n == 3 ? "FOWNER" :
    n == 4 ? "FSETID" : n == 5 ? "KILL" : n == 6 ? "SETGID" : n == 7 ? "SETUID" :
    n == 8 ? "SETPCAP" : n == 9 ? "LINUX_IMMUTABLE" : n == 10 ? "NET_BIND_SERVICE" :
    n == 11 ? "NET_BROADCAST" : n == 12 ? "NET_ADMIN" : n == 13 ? "NET_RAW" :
    n == 14 ? "IPC_LOCK" : n == 15 ? "IPC_OWNER" : n == 16 ? "SYS_MODULE" :
    n == 17 ? "SYS_RAWIO" : n == 18 ? "SYS_CHROOT" : n == 19 ? "SYS_PTRACE" :
    n == 20 ? "SYS_PACCT" : n == 21 ? "SYS_ADMIN" : n == 22 ? "SYS_BOOT" : n == 23 ? "SYS_NICE" :
    n == 24 ? "SYS_RESOURCE" : n == 25 ? "SYS_TIME" : n == 26 ? "SYS_TTY_CONFIG" :
    n == 27 ? "MKNOD" : n == 28 ? "LEASE" : n == 29 ? "AUDIT_WRITE" : n == 30 ? "AUDIT_CONTROL" :
    n == 31 ? "SETFCAP" : n == 32 ? "MAC_OVERRIDE" : n == 33 ? "MAC_ADMIN" : n == 34 ? "SYSLOG" :
    n == 35 ? "WAKE_ALARM" : n == 36 ? "BLOCK_SUSPEND" : n == 37 ? "AUDIT_READ" :
    n == 38 ? "PERFMON" : n == 39 ? "BPF" : "CHECKPOINT_RESTORE";

fbt::cap_capable:entry
/($name == "" || execname == $name) && pid != $pid/
{
	self->cap = (int)arg2 + 1;
}

fbt::cap_capable:return
/self->cap && (!$denied || (int)arg1)/
{
	@[execname, CAP[self->cap - 1], (int)arg1 ? "denied" : "granted"] = count();
}

fbt::cap_capable:return
{
	self->cap = 0;
}

END
{
	printf("%-15s %-20s %-8s %10s\n", "PROGRAM", "CAPABILITY", "ANSWER", "COUNT");
	printa("%-15s %-20s %-8s %@10d\n", @);
}
