/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * builtin.h - the built-ins that code asks for by name: what is true of one of them only; what is
 * true of several is a flag of their rows (BF_*).  The rows are in builtins.def, which this does
 * not read: a new row compiles no file that asks for another one.
 */
#ifndef DTX_FRONT_BUILTIN_H
#define DTX_FRONT_BUILTIN_H

#include "compiler/front/front.h"

#define BUILTINS_NAMED(NAMED) \
	NAMED(__behind) NAMED(__boottime) NAMED(__buf) NAMED(__jiffies) \
	NAMED(__raise_thread) NAMED(alloca) NAMED(arg0) NAMED(arg1) NAMED(args) \
	NAMED(breakpoint) NAMED(chill) NAMED(clear) NAMED(commit) NAMED(copyin) \
	NAMED(copyinstr) NAMED(curthread) NAMED(denormalize) NAMED(discard) NAMED(errno) \
	NAMED(execname) NAMED(exit) NAMED(freopen) NAMED(func) NAMED(hostname) NAMED(id) \
	NAMED(inet_ntoa6) NAMED(ipl) NAMED(jstack) NAMED(memcmp) NAMED(normalize) \
	NAMED(nsecs) NAMED(panic) NAMED(pcap) NAMED(pid) NAMED(print) NAMED(printa) NAMED(printf) \
	NAMED(probe) NAMED(probefunc) NAMED(probemod) NAMED(probeprov) NAMED(pystack) NAMED(raise) \
	NAMED(return) NAMED(retval) NAMED(speculate) NAMED(stack) NAMED(str) NAMED(strstr) \
	NAMED(substr) NAMED(system) NAMED(tid) NAMED(timestamp) NAMED(trace) NAMED(trunc) \
	NAMED(uid) NAMED(uregs) NAMED(usermode) NAMED(ustack) NAMED(vtimestamp) \
	NAMED(walltimestamp)

enum builtin_id {
	BI_NONE,                 /* a row that no code asks for */
#define NAMED(name) BI_##name,
	BUILTINS_NAMED(NAMED)
#undef NAMED
	BI_N
};

const struct builtin *builtin_row(enum builtin_id);
enum builtin_id builtin_id(const struct builtin *);

static inline bool builtin_is(const struct builtin *b, enum builtin_id id)
{
	return b && b == builtin_row(id);
}

/* Is it the name of that built-in?  For names that are not resolved yet. */
static inline bool builtin_named(const char *name, enum builtin_id id)
{
	return !strcmp(name, builtin_row(id)->name);
}

#endif
