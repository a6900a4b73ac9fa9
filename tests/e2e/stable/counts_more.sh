#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf gcc
# where: both
# on: newest
# truth: vminfo:::kernel_asflt | page faults of the kernel, for a program | the pages that it lets read() fill
# truth: vminfo:::pgrec | page faults of a program that find pages in the cache | ru_minflt of getrusage()
# truth: sysinfo:::msg | calls of msgsnd and msgrcv | the program's own calls
# truth: sysinfo:::sysexec | calls of execve, which fail | the program's own calls
# truth: sysinfo:::namei | path names looked up by stat and open | the program's own calls
# truth: sysinfo:::xcalls | calls of the other CPU, at least 30 and no more than 60 for 40 | the program's membarrier(), which calls the CPU of its second thread
# truth: sched:::change-pri, args[2] | the priority that a thread gets | the program's own setpriority()
# truth: sched:::tick | ticks of a thread that works; a virtual machine loses some | utime and stime of /proc/self/stat
#
# vminfo, sysinfo, sched: a program does a known number of each, between calls that tell its parts apart.
. "$(dirname "$0")/../lib.sh"

gcc -O0 -pthread -x c -o "$tmp/load" - <<'END' || fail 'the program does not compile'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#define PAGE 4096
static void phase(int n) { getpgid(2000000000 + n); }
static long faults(void) { struct rusage r; getrusage(RUSAGE_SELF, &r); return r.ru_minflt; }
static long ticks(void)
{
	static char text[1024];
	unsigned long u, s;
	int fd = open("/proc/self/stat", O_RDONLY);
	text[read(fd, text, sizeof(text) - 1)] = 0;
	close(fd);
	sscanf(strrchr(text, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &u, &s);
	return u + s;
}
static void stay(int cpu)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}
static void *work(void *arg)
{
	struct sched_param first = { .sched_priority = 1 };
	stay(1);
	sched_setscheduler(0, SCHED_FIFO, &first);       /* it is running at each call */
	for (volatile int *on = arg; *on; )
		;
	return NULL;
}
static void call_cpus(void)
{
	volatile int on = 1;
	pthread_t other;
	stay(0);
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	pthread_create(&other, NULL, work, (void *)&on);
	usleep(50000);
	phase(8);
	for (int i = 0; i < 40; i++) {
		syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
		usleep(1000);
	}
	phase(0);
	on = 0;
	pthread_join(other, NULL);
}
int main(int argc, char **argv)
{
	struct { long type; char text[8]; } m = { 1, "text" };
	struct stat st;
	int fd = open("/dev/zero", O_RDONLY), file = open(argv[1], O_RDWR | O_CREAT, 0600), q;
	volatile char *p = mmap(NULL, 40 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile char sum = 0;
	long before, after;

	madvise((void *)p, 40 * PAGE, MADV_NOHUGEPAGE);
	phase(1);
	if (read(fd, (void *)p, 40 * PAGE) != 40 * PAGE)
		return 1;
	phase(0);
	for (int i = 0; i < 640; i++)
		if (write(file, (void *)p, PAGE) != PAGE)
			return 1;
	p = mmap(NULL, 640 * PAGE, PROT_READ, MAP_SHARED, file, 0);
	faults();
	before = faults();
	phase(2);
	for (int i = 0; i < 640; i++)
		sum += p[i * PAGE];
	phase(0);
	after = faults();
	printf("own pgrec %ld\n", after - before);
	q = msgget(IPC_PRIVATE, 0600);
	phase(3);
	for (int i = 0; i < 3; i++)
		msgsnd(q, &m, sizeof(m.text), 0);
	for (int i = 0; i < 2; i++)
		msgrcv(q, &m, sizeof(m.text), 0, 0);
	phase(4);
	for (int i = 0; i < 4; i++)
		execl("/no/such/program", "x", NULL);
	phase(5);
	for (int i = 0; i < 6; i++)
		stat("/etc/passwd", &st);
	for (int i = 0; i < 2; i++)
		close(open("/etc/passwd", O_RDONLY));
	phase(6);
	setpriority(PRIO_PROCESS, 0, 7);
	phase(0);
	msgctl(q, IPC_RMID, NULL);
	fflush(stdout);
	before = ticks();
	phase(7);
	for (after = before; after < before + 30; after = ticks())
		for (volatile int i = 0; i < 1000000; i++)
			;
	phase(0);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		call_cpus();
	printf("own tick %ld\n", (after - before) * 100 / sysconf(_SC_CLK_TCK));
	return 0;
}
END
cat >"$tmp/counts.d" <<'END'
#pragma D option quiet
int part;
syscall::getpgid:entry /pid == $target && arg0 >= 2000000000/ { part = arg0 - 2000000000; }
vminfo:::kernel_asflt /pid == $target && part == 1/ { @["dtx", probename] = sum(arg0); }
sysinfo:::msg /pid == $target && part == 3/ { @["dtx", probename] = sum(args[0]); }
sysinfo:::sysexec /pid == $target && part == 4/ { @["dtx", probename] = sum(args[0]); }
END
if matches sysinfo:::xcalls; then echo 'sysinfo:::xcalls /pid == $target && part == 8/ { @calls = sum(arg0); } END { printa("xcalls %@d\n", @calls); }' >>"$tmp/counts.d"; fi
{ echo 'dtx kernel_asflt 40'; echo 'dtx msg 5'; echo 'dtx sysexec 4'; } >"$tmp/want"
if matches vminfo:::pgrec; then
	echo 'vminfo:::pgrec /pid == $target && part == 2/ { @["dtx", probename] = sum(arg0); }' >>"$tmp/counts.d"
fi
if matches sysinfo:::namei; then
	echo 'sysinfo:::namei /pid == $target && part == 5/ { @["dtx", probename] = sum(arg0); }' >>"$tmp/counts.d"
	echo 'sched:::change-pri /pid == $target && part == 6/ { @["dtx", args[1]->pr_pid == pid ? "pri" : "other"] = sum(args[2]); }' >>"$tmp/counts.d"
	{ echo 'dtx namei 8'; echo 'dtx pri 127'; } >>"$tmp/want"
fi
echo 'sched:::tick /pid == $target && part == 7/ { @ticks = count(); } END { printa("%s %s %@d\n", @); printa("ticks %@d\n", @ticks); }' >>"$tmp/counts.d"
dtx -s "$tmp/counts.d" -c "$tmp/load $tmp/file"
if matches vminfo:::pgrec; then sed -n 's/^own pgrec/dtx pgrec/p' "$tmp/out" >>"$tmp/want"; fi
same "$(sort "$tmp/want")" "$(grep ^dtx "$tmp/out" | sort)" "not what was done: $(cat "$tmp/err")"
if matches sysinfo:::xcalls && [ "$(nproc)" -gt 1 ]; then
	calls=$(awk '$1 == "xcalls" { print $2 }' "$tmp/out")
	[ "${calls:-0}" -ge 30 ] && [ "$calls" -le 60 ] || fail "${calls:-no} calls of other CPUs, for 40"
fi
# The kernel's own clock has one of these rates; a machine that does not get its processor loses ticks.
read -r own ticks < <(awk '/^own tick/ { own = $3 } /^ticks/ { print own, $2 }' "$tmp/out")
for rate in 100 250 300 1000; do
	if [ $((ticks * 100 / rate)) -ge $((own * 4 / 10)) ] && [ $((ticks * 100 / rate)) -le $((own * 12 / 10)) ]; then exit 0; fi
done
fail "$ticks ticks, $own hundredths of a second"
