#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf gcc
# where: both
# truth: lockstat:::rw-block | how often, by whom, how long, as a writer | a program whose threads wait for the lock of a file, its own clock
#
# A thread that writes a file holds the lock of it while its data is not there yet (userfaultfd); others that write the file
# wait for as long.
. "$(dirname "$0")/../lib.sh"
matches 'lockstat:::rw-block' || skip 'this kernel has no tracepoints of contention, which lockstat is made of'

gcc -x c -o "$tmp/waits" - -lpthread <<'END' || fail 'the program does not compile'
#define _GNU_SOURCE
#define MANY 41
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static int file;
static char *data;
static volatile int tids[MANY];
static long long took[MANY];
static long long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}
static void *put(void *arg)
{
	long n = (long)arg;
	char c = 'x';
	tids[n] = syscall(SYS_gettid);
	long long from = now();
	if (pwrite(file, n ? &c : data, 1, n) != 1)
		exit(1);
	took[n] = now() - from;
	return arg;
}
/* Begins to write; returns when it waits. */
static void begin(pthread_t *t, long n)
{
	char path[64], state = 0;
	pthread_create(t, NULL, put, (void *)n);
	while (state != 'D' && !(state == 'S' && !n)) {
		usleep(1000);
		snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tids[n]);
		FILE *f = tids[n] ? fopen(path, "r") : NULL;
		if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 0;
		if (f)
			fclose(f);
	}
}
int main(int argc, char **argv)
{
	while (argc > 1 && argv[1])
		usleep(1);
	struct uffdio_api api = { .api = UFFD_API };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	pthread_t t[MANY];
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api))
		return 77;
	data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register reg = { .range = { (unsigned long)data, 4096 }, .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_zeropage zero = { .range = { (unsigned long)data, 4096 } };
	if (ioctl(fd, UFFDIO_REGISTER, &reg))
		return 77;
	file = memfd_create("data", 0);
	for (long n = 0; n < MANY; n++)
		begin(&t[n], n);
	usleep(50000);
	if (ioctl(fd, UFFDIO_ZEROPAGE, &zero))
		return 1;
	for (int n = 0; n < MANY; n++)
		pthread_join(t[n], NULL);
	for (int n = 1; n < MANY; n++)
		printf("own %d %lld\n", tids[n], took[n]);
	return 0;
}
END
"$tmp/waits" >/dev/null || skip 'no userfaultfd here'
# Others sleep and wake all the time: who waits meets spin locks, too, on its way to sleep and from it.
for ((i = 0; i < 8; i++)); do "$tmp/waits" on & done
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$tmp"' EXIT
# That lock is the one that most wait for; those that make threads may wait for the lock of their memory as long, on a loaded machine.
for round in 1 2 3 4 5 6; do
	dtx -qn 'lockstat:::rw-block /pid == $target && args[1] >= 40000000/ { printf("dtx %d %d %d %p\n", tid, args[1], args[2], args[0]); }' -c "$tmp/waits"
	lock=$(awk '$1 == "dtx" { print $5 }' "$tmp/out" | sort | uniq -c | sort -n | awk 'END { print $2 }')
	awk -v lock="$lock" '$1 == "own" { own[$2] = $3 }
		$1 == "dtx" && $5 == lock { n[$2]++; ns[$2] = $3; if ($4 != 0) bad = 1 }
		END { for (t in own) { threads++; if (n[t] != 1 || ns[t] > own[t]) bad = 1 }; for (t in n) if (!(t in own)) bad = 1; exit bad || threads != 40 }' "$tmp/out" ||
		fail "round $round: not the forty that waited: $(cat "$tmp/out" "$tmp/err")"
done
