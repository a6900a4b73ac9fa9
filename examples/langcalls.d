#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * langcalls.d - which functions of Python, Java, PHP and Ruby programs are called, and how often?
 *
 * USAGE: langcalls.d [OPTION]... [TIME [COUNT]] -p PID
 *        langcalls.d [OPTION]... -c COMMAND
 *
 * Counts the calls by language, by the class or the file, and by function. Each call is a probe, so
 * the program becomes slower: several microseconds a call. Java tells its calls if it was started
 * with -XX:+ExtendedDTraceProbes, PHP with USE_ZEND_DTRACE=1 in its environment. The interpreters
 * must be built with probes, as Debian's are.
 *
 * EXAMPLES
 *    langcalls.d -t 5 -c 'python3 program.py'
 *    langcalls.d -p 1234 10s
 */
#pragma D param top,t int 20 "how many functions to show"
#pragma D option aggtop=$top
#pragma D option zdefs

python$target:::function-entry
{
	@["python", basename(copyinstr(arg0)), copyinstr(arg1)] = count();
}

/* From 3.11 on, the interpreter reports most calls only while this probe is enabled, too. */
python$target:::line
/0/
{
}

/* Its texts have a length, and no end. */
hotspot$target:::method-entry
{
	@["java", stringof(copyin(arg1, arg2)), stringof(copyin(arg3, arg4))] = count();
}

php$target:::function-entry
/arg0/
{
	this->class = arg3 ? copyinstr(arg3) : "";
	this->where = this->class == "" ? basename(copyinstr(arg1)) : this->class;
	@["php", this->where, copyinstr(arg0)] = count();
}

ruby$target:::method-entry,
ruby$target:::cmethod-entry
{
	@["ruby", copyinstr(arg0), copyinstr(arg1)] = count();
}

END
{
	printf("%-8s %-32s %-32s %10s\n", "LANGUAGE", "CLASS OR FILE", "FUNCTION", "CALLS");
	printa("%-8s %-32s %-32s %@10d\n", @);
}
