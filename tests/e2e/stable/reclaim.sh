#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf kprobes gcc
# truth: vminfo:::scan, dfree | pages that reclaim examines and frees | pgscan, pgrefill, pgsteal of the group's memory.stat
# truth: vminfo:::anonpgout, pgswapout | pages written to swap | pswpout of /proc/vmstat
# truth: vminfo:::anonpgin, pgswapin | pages read from swap | pswpin of /proc/vmstat
# truth: vminfo:::pgrrun | runs of the daemon that reclaims pages | pageoutrun of /proc/vmstat
# truth: vminfo:::maj_fault | page faults that wait for a device | pgmajfault of /proc/vmstat
#
# What reclaim does, against the kernel's own counters: a group's pages are written to a swap device in memory, and read back.
. "$(dirname "$0")/../lib.sh"
[ -n "$DTX_GUEST" ] || skip 'only a guest may get a swap device'
group=/sys/fs/cgroup/dtx-reclaim
modprobe -q zram || skip 'this kernel has no zram'
echo +memory >/sys/fs/cgroup/cgroup.subtree_control && mkdir -p $group
[ -e $group/memory.reclaim ] || skip 'this kernel reclaims the memory of no group on request'
echo 96M >/sys/block/zram0/disksize && mkswap /dev/zram0 >/dev/null && swapon /dev/zram0 || skip 'no swap on zram'
echo 0 >/proc/sys/vm/page-cluster                        # no pages that nobody asked for

gcc -x c -o "$tmp/load" - <<'END' || fail 'the program does not compile'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#define SIZE (16 << 20)
#define GROUP "/sys/fs/cgroup/dtx-reclaim/"
static char text[1 << 16];
static long value(const char *path, const char *name)
{
	char line[64], *at;
	int fd = open(path, O_RDONLY), n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	snprintf(line, sizeof(line), "\n%s ", name);
	at = strstr(text, line);
	return at ? atol(at + strlen(line)) : 0;
}
static const char *const names[] = { "pswpout", "pswpin", "pgmajfault", "pgscan", "pgsteal", "pgrefill" };
static long before[6];
static void all(int n)
{
	for (int i = 0; i < 6; i++) {
		long v = value(i < 3 ? "/proc/vmstat" : GROUP "memory.stat", names[i]);
		if (n)
			printf("own %d %s %ld\n", n, names[i], v - before[i]);
		before[i] = v;
	}
}
static void put(const char *path, const char *what)
{
	int fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, what, strlen(what)) < 0)
		perror(path);
	close(fd);
}
static void set(const char *name, long n)
{
	char path[64], number[32];
	snprintf(path, sizeof(path), "/proc/sys/vm/%s", name);
	snprintf(number, sizeof(number), "%ld", n);
	put(path, number);
}
static long runs(void) { return value("/proc/vmstat", "pageoutrun"); }
/* More memory is to be free than is: the daemon begins; then it is enough, and it sleeps. */
static void daemon_runs(void)
{
	struct sysinfo i;
	long begin = runs(), last, min;
	FILE *f = fopen("/proc/sys/vm/min_free_kbytes", "r");
	if (!f || fscanf(f, "%ld", &min) != 1)
		return;
	fclose(f);
	sysinfo(&i);
	getpgid(2000000003);
	long more = (long)(i.freeram / 1024) - (long)(i.totalram / 1024 / 4);
	set("min_free_kbytes", more > min ? more : min);
	set("watermark_scale_factor", 3000);
	for (int k = 0; k < 100 && runs() == begin; k++) {
		char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		usleep(50000);
		munmap(p, 1 << 20);
	}
	set("watermark_scale_factor", 10);
	set("min_free_kbytes", min);
	do {
		last = runs();
		usleep(400000);
	} while (runs() != last);
	getpgid(2000000000);
	printf("own 3 pageoutrun %ld\n", last - begin);
}
int main(void)
{
	volatile char *p;
	put(GROUP "cgroup.procs", "0");
	p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)p, SIZE, MADV_NOHUGEPAGE);
	for (long i = 0; i < SIZE; i += 4096)
		p[i] = i >> 12 | 1;              /* pages of zeros are not written from 6.12 on */
	all(0);
	getpgid(2000000001);
	put(GROUP "memory.reclaim", "8M");
	getpgid(2000000000);
	all(1);
	getpgid(2000000002);
	for (long i = 0; i < SIZE; i += 4096)
		if (p[i] != (char)(i >> 12 | 1))
			return 1;
	getpgid(2000000000);
	all(2);
	daemon_runs();
	return 0;
}
END
cat >"$tmp/vm.d" <<'END'
#pragma D option quiet
int part;
syscall::getpgid:entry /arg0 >= 2000000000/ { part = arg0 - 2000000000; }
vminfo:::scan, vminfo:::dfree, vminfo:::anonpgout, vminfo:::pgswapout, vminfo:::anonpgin, vminfo:::pgswapin, vminfo:::maj_fault, vminfo:::pgrrun
/part/ { @[part, probename] = sum(arg0); }
END { printa("dtx %d %s %@d\n", @); }
END
dtx -s "$tmp/vm.d" -c "$tmp/load"
swapoff /dev/zram0
awk '
	$1 == "own" { own[$2 " " $3] = $4 }
	$1 == "dtx" { dtx[$2 " " $3] = $4 }
	function same(what, a, b) { printf "%s %d %d\n", what, a, b; if (a != b || a <= 0) bad = 1 }
	END {
		same("anonpgout", dtx["1 anonpgout"], own["1 pswpout"])
		same("pgswapout", dtx["1 pgswapout"], own["1 pswpout"])
		same("dfree", dtx["1 dfree"], own["1 pgsteal"])
		same("scan", dtx["1 scan"], own["1 pgscan"] + own["1 pgrefill"])
		same("anonpgin", dtx["2 anonpgin"], own["2 pswpin"])
		same("pgswapin", dtx["2 pgswapin"], own["2 pswpin"])
		same("pgrrun", dtx["3 pgrrun"], own["3 pageoutrun"])
		same("maj_fault", dtx["2 maj_fault"], own["2 pgmajfault"])
		exit bad
	}' "$tmp/out" >"$tmp/verdict" || fail "dtx, the kernel: $(cat "$tmp/verdict" "$tmp/out" "$tmp/err")"
