#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/klockstat.d: four programs that rename in one folder wait for its lock; a thread waits for the mutex of a pipe.
# truth: klockstat | waits for a mutex of the kernel, their sum and the longest | the program's own clocks, in the wait and around it
. "$(dirname "$0")/tool.bash"

matches tracepoint:lock:contention_begin || skip 'this kernel tells no waits for locks (Linux 5.19)'
cat >"$tmp/renames.py" <<'END'
import os, sys
open("f" + sys.argv[1], "w").close()
for i in range(4000):
    os.rename("f" + sys.argv[1], "g" + sys.argv[1]); os.rename("g" + sys.argv[1], "f" + sys.argv[1])
END
own /usr/bin/python3 known
load <<<'for i in 1 2 3 4; do ./known renames.py $i & done; wait'
tool klockstat -n known
grep -qE '^ +[0-9]+ us, the longest [0-9]+ us, in [0-9]+ waits$' "$tmp/out" || fail "$(cat "$tmp/out")"
grep -qE 'rename|lock' "$tmp/out" || fail "no stack: $(cat "$tmp/out")"

# A thread writes to a pipe from a page that is not there: it holds the mutex of the pipe until the page is given. Two clocks tell
# how long another one waits for it: around the call, and from when the kernel says that it sleeps there until the page is given.
# The one is never shorter than the wait and the other never longer, however long the threads wait for a CPU.
cat >"$tmp/held.c" <<'END'
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TIMES 4
#define PAGE 4096L
static int ends[2];
static char *area;
static volatile int wanting;
static long around;

static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *holds(void *page) { return (void *)write(ends[1], page, 8); }

static void *wants(void *unused)
{
	wanting = syscall(SYS_gettid);
	long begin = now();
	if (write(ends[1], "wanted!", 8) != 8)
		exit(1);
	around = (now() - begin) / 1000;
	return unused;
}

/* The number of the call in which the thread sleeps; 0: it runs, or is not there yet. */
static int sleeps_in(int thread)
{
	char name[64];
	int call = 0;
	sprintf(name, "/proc/self/task/%d/syscall", thread);
	FILE *f = fopen(name, "r");
	if (!f || fscanf(f, "%d", &call) != 1)
		call = 0;
	if (f)
		fclose(f);
	return call;
}

int main(void)
{
	static char data[PAGE];
	struct uffdio_api api = { .api = UFFD_API };
	long in = 0, out = 0, most_in = 0, most_out = 0;
	int fd = syscall(SYS_userfaultfd, 0);
	area = mmap(NULL, PAGE * TIMES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register all = { .range = { (long)area, PAGE * TIMES }, .mode = UFFDIO_REGISTER_MODE_MISSING };
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all) || pipe(ends))
		return 77;
	for (int i = 0; i < TIMES; i++) {
		struct uffdio_copy give = { .dst = (long)area + PAGE * i, .src = (long)data, .len = PAGE };
		struct uffd_msg fault;
		pthread_t a, b;
		pthread_create(&a, NULL, holds, area + PAGE * i);
		if (read(fd, &fault, sizeof(fault)) != sizeof(fault))
			return 1;
		wanting = 0;
		pthread_create(&b, NULL, wants, NULL);
		while (!wanting || sleeps_in(wanting) != SYS_write)
			usleep(1000);
		long begin = now();
		usleep(50000);
		long us = (now() - begin) / 1000;
		ioctl(fd, UFFDIO_COPY, &give);
		pthread_join(a, NULL);
		pthread_join(b, NULL);
		in += us, most_in = us > most_in ? us : most_in;
		out += around, most_out = around > most_out ? around : most_out;
	}
	printf("%d %ld %ld %ld %ld\n", TIMES, in, out, most_in, most_out);
	return 0;
}
END
gcc -pthread -o "$tmp/held" "$tmp/held.c" || fail gcc
"$tmp/held" >/dev/null || exit 0     # no userfaultfd in this kernel

# waits, for the mutex, of the stack of the pipe: how many, their sum and the longest. The way to it and from it has spin locks, too.
waits() {
	rows '/spin_lock/ { spin = 1 } /pipe_write/ { pipe = 1 } /^$/ { pipe = spin = 0 }
		/ us, the longest / && pipe && !spin { n += $8; sum += $1; if ($5 > most) most = $5 }
		END { print n + 0, sum + 0, most + 0 }'
}
load <<<'./held >said'
for options in '' -a; do
	tool klockstat -n held -t 100 $options
	paste <(waits) "$tmp/said" | awk '{ exit !($1 == $4 && $5 <= $2 && $2 <= $6 && $7 <= $3 && $3 <= $8) }' ||
		fail "klockstat $options: $(waits), and the program: $(cat "$tmp/said" "$tmp/out")"
done
tool klockstat -n held -t 100 -s
same '0 0 0' "$(waits)" 'a wait for a mutex among those for spin locks'
