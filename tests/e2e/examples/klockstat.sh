#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/klockstat.d: four programs that rename in one folder wait for its lock; a thread waits for the mutex of a pipe.
# truth: klockstat | waits for a mutex of the kernel, their sum and the longest | the program's own clock
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

# A thread writes to a pipe from a page that is not there: it holds the mutex of the pipe until the other one gives the page.
cat >"$tmp/held.c" <<'END'
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TIMES 4
#define PAGE 4096L
static int ends[2];
static char *area;
static double total, longest;

static void *holds(void *page) { return (void *)write(ends[1], page, 8); }

static void *wants(void *unused)
{
	struct timespec a, b;
	clock_gettime(CLOCK_MONOTONIC, &a);
	if (write(ends[1], "wanted!", 8) != 8)
		return unused;
	clock_gettime(CLOCK_MONOTONIC, &b);
	double us = (b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3;
	total += us;
	longest = us > longest ? us : longest;
	return NULL;
}

int main(void)
{
	static char data[PAGE];
	struct uffdio_api api = { .api = UFFD_API };
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
		pthread_create(&b, NULL, wants, NULL);
		usleep(50000);
		ioctl(fd, UFFDIO_COPY, &give);
		pthread_join(a, NULL);
		pthread_join(b, NULL);
	}
	printf("%d %.0f %.0f\n", TIMES, total, longest);
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
	# The clock of the program is read before and after the wait.
	paste <(waits) "$tmp/said" | awk '{ exit !($1 == $4 && $2 <= $5 && $2 > $5 * 0.95 && $3 <= $6 && $3 > $6 * 0.95) }' ||
		fail "klockstat $options: $(waits), and the program: $(cat "$tmp/said" "$tmp/out")"
done
tool klockstat -n held -t 100 -s
same '0 0 0' "$(waits)" 'a wait for a mutex among those for spin locks'
