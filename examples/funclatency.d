#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * funclatency.d - how long do the calls of a function take?
 *
 * USAGE: funclatency.d [OPTION]... FUNCTION
 *
 *    FUNCTION    a name, or a pattern in quotes: 'vfs_*'
 *
 * Prints the distribution of the times by function, in nanoseconds or in the unit of --unit. Each
 * call counts from its entry to its return, with the time that it waits, and a call that an exception
 * or longjmp() ends does not count. Where a function calls itself each of the calls counts; of kernel
 * functions only the innermost one. A function that another thread enters is measured by itself.
 *
 * EXAMPLES
 *    funclatency.d vfs_read --unit 1us
 *    funclatency.d -P uprobe -M libc getaddrinfo
 *    funclatency.d -P 'pid$target' -M libc malloc -c 'ls /etc'
 */
#pragma D param provider,P string fbt "the provider: fbt, uprobe, or pid$target"
#pragma D param module,M string "" "the module or library of the function"
#pragma D param unit,u time 1ns "the unit of the distribution: 1us, 1ms"
#pragma D param name,n string "only programs of this name"

/*
 * The frame of the call, so that the begin of one that does not return is not another one's. A stack is
 * aligned to 16 bytes, and the kernel's return probe (ureturn=kernel) sees it without the return address.
 */
inline uintptr_t FRAME = index(probeprov, "fbt") >= 0 ? 0 : (uregs[R_SP] - 8) & -16;

$provider:$module:$1:entry
/$name == "" || execname == $name/
{
	self->start[probefunc, FRAME] = timestamp;
}

$provider:$module:$1:return
/self->start[probefunc, FRAME]/
{
	@[probefunc] = quantize((timestamp - self->start[probefunc, FRAME]) / ($unit ? $unit : 1));
	self->start[probefunc, FRAME] = 0;
}

END
{
	printa("\n%s:%@d\n", @);
}
