#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * langstat.d - how much do Python, Java, PHP and Ruby programs load, collect and fail?
 *
 * USAGE: langstat.d [OPTION]... [INTERVAL [COUNT]] [-p PID | -c COMMAND]
 *
 * Prints a table each interval, by process, with what the probes of the interpreters tell:
 *
 *    LOADED     classes (Java), modules (Python), files (PHP)
 *    GC         collections of garbage (Python, Java, Ruby); MS is the time in them
 *    ERRORS     exceptions (PHP, Ruby)
 *    THREADS    threads that were started (Java)
 *
 * Programs that start later are seen, too, if they run for longer than it takes to find them. The
 * interpreters must be built with probes, as Debian's are. Calls cost more: see langcalls.d.
 *
 * EXAMPLES
 *    langstat.d             each second, until ^C
 *    langstat.d 10 6        six times ten seconds
 *    langstat.d -p 1234     one process
 */
#pragma D param interval,i time 1s "time between two tables"
#pragma D param count int 0 "end after this many tables"
#pragma D param top,t int 20 "how many rows to show"
#pragma D param name,n string "only programs of this name"
#pragma D option aggsortrev
#pragma D option aggtop=$top
#pragma D option zdefs

/* That of the process: a thread of Java that collects has a name of its own. */
inline string PROGRAM = stringof(curthread->group_leader->comm);
inline int WANTED = $name == "" || PROGRAM == $name;

python*:::import-find-load-done
/WANTED && arg1/
{
	@loaded[pid, "python", PROGRAM] = count();
}

hotspot*:::class-loaded
/WANTED/
{
	@loaded[pid, "java", PROGRAM] = count();
}

php*:::compile-file-return
/WANTED/
{
	@loaded[pid, "php", PROGRAM] = count();
}

php*:::exception-thrown
/WANTED/
{
	@errors[pid, "php", PROGRAM] = count();
}

ruby*:::raise
/WANTED/
{
	@errors[pid, "ruby", PROGRAM] = count();
}

hotspot*:::thread-start
/WANTED/
{
	@threads[pid, "java", PROGRAM] = count();
}

python*:::gc-start,
hotspot*:::gc-begin,
ruby*:::gc-mark-begin
/WANTED/
{
	self->collects = timestamp;
}

python*:::gc-done
/self->collects/
{
	@gc[pid, "python", PROGRAM] = count();
	@ms[pid, "python", PROGRAM] = sum(timestamp - self->collects);
}

hotspot*:::gc-end
/self->collects/
{
	@gc[pid, "java", PROGRAM] = count();
	@ms[pid, "java", PROGRAM] = sum(timestamp - self->collects);
}

ruby*:::gc-sweep-end
/self->collects/
{
	@gc[pid, "ruby", PROGRAM] = count();
	@ms[pid, "ruby", PROGRAM] = sum(timestamp - self->collects);
}

python*:::gc-done,
hotspot*:::gc-end,
ruby*:::gc-sweep-end
{
	self->collects = 0;
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	normalize(@ms, 1000000);
	printf("\n%s\n%7s %-8s %-15s %8s %6s %6s %7s %7s\n", strftime("%H:%M:%S", walltimestamp),
	    "PID", "LANGUAGE", "PROGRAM", "LOADED", "GC", "MS", "ERRORS", "THREADS");
	printa("%7d %-8s %-15s %@8d %@6d %@6d %@7d %@7d\n", @loaded, @gc, @ms, @errors, @threads);
	trunc(@loaded);
	trunc(@gc);
	trunc(@ms);
	trunc(@errors);
	trunc(@threads);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
