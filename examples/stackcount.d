#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackcount.d - through which paths is a probe reached?
 *
 * USAGE: stackcount.d [OPTION]... PROBE
 *
 *    PROBE    a description of probes: 'fbt::tcp_sendmsg:entry', 'syscall::fsync:entry'
 *
 * Counts the stacks, kernel part first, and prints those with the most firings last.
 *
 * EXAMPLES
 *    stackcount.d syscall::write:entry --duration 10s
 *    stackcount.d -U 'pid$target:libc:malloc:entry' -t 3 -c 'ls /etc'
 */
#pragma D param top,t int 10 "how many stacks to show"
#pragma D param name,n string "only programs of this name"
#pragma D param user,U flag "only the user part"
#pragma D param kernel,K flag "only the kernel part"
#pragma D option aggtop=$top

$1
/!$user && !$kernel && ($name == "" || execname == $name)/
{
	@[execname, stack(), ustack()] = count();
}

$1
/$user && ($name == "" || execname == $name)/
{
	@user[execname, ustack()] = count();
}

$1
/$kernel && ($name == "" || execname == $name)/
{
	@kernel[execname, stack()] = count();
}

END
/!$user && !$kernel/
{
	printa("\n%s%k%k%@16d\n", @);
}

END
/$user/
{
	printa("\n%s%k%@16d\n", @user);
}

END
/$kernel/
{
	printa("\n%s%k%@16d\n", @kernel);
}
