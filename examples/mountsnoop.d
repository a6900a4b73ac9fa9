#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mountsnoop.d - who mounts and unmounts what, where, and in which namespace?
 *
 * USAGE: mountsnoop.d [OPTION]...
 *
 * Prints a line when mount or umount returns. MNTNS is the number of the mount namespace; what a
 * container mounts is seen in its own one only. FLAGS is that of the call, in hexadecimal.
 *
 * EXAMPLES
 *    mountsnoop.d                all, until ^C
 *    mountsnoop.d -n systemd     only those of one program
 */
#pragma D param name,n string "only programs of this name"

BEGIN
{
	printf("%-8s %7s %-15s %10s %-7s %3s %8s %-10s %s\n", "TIME", "PID", "PROGRAM", "MNTNS",
	    "CALL", "ERR", "FLAGS", "TYPE", "WHAT AND WHERE");
}

syscall::mount:entry
/$name == "" || execname == $name/
{
	self->what = arg0;
	self->where = arg1;
	self->type = arg2;
	self->flags = arg3;
}

syscall::umount2:entry
/$name == "" || execname == $name/
{
	self->where = arg0;
	self->flags = arg1;
}

syscall::mount:return,
syscall::umount2:return
/self->where/
{
	printf("%-8s %7d %-15s %10d %-7s %3d %8x %-10s %s%s%s\n",
	    strftime("%H:%M:%S", walltimestamp), pid, execname, mntns,
	    probefunc == "mount" ? "mount" : "umount", errno, self->flags,
	    self->type ? copyinstr(self->type) : "-",
	    self->what ? copyinstr(self->what) : "", self->what ? " " : "",
	    copyinstr(self->where));
}

syscall::mount:return,
syscall::umount2:return
{
	self->what = 0;
	self->where = 0;
	self->type = 0;
	self->flags = 0;
}
