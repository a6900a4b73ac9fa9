#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes python3
# timeout: 60
#
# The questions of docs/tools.md, each answered by one command, which is right within 5 %. dbslower.sh has the slow query. The tools run
# at the same time.
#
# truth: ten questions, opensnoop | who opens this file | how often a program opens it
# truth: ten questions, biotop | who writes to the disk | the bytes of a program's direct writes
# truth: ten questions, offcputime | where a server and four threads wait | their own clocks
# truth: ten questions, runqslower | how long a program waits for a CPU | /proc/self/schedstat
# truth: ten questions, lockwait | who waits for a lock, how long | the program's own clock
# truth: ten questions, memleak | memory that is kept | the program's own calls
# truth: ten questions, execsnoop | short processes | how many were started
# truth: ten questions, tcpconnlat | a slow connect | the program's own clock
. "$(dirname "$0")/tool.bash"

for name in opener server runner connecter; do own /usr/bin/python3 $name; done
own true shortly
own dd writer
own knownnaps napper
own leaks keeper
secret=secret$$
cat >"$tmp/opener.py" <<END
for i in range(7): open("$secret").close()
END
cat >"$tmp/server.py" <<'END'
import os, socket, time
a, b = socket.socketpair()
if not os.fork():
    open("/proc/self/comm", "w").write("client")
    for i in range(20):
        time.sleep(0.03); a.send(b"x")
    os._exit(0)
began = time.monotonic()
for i in range(20): b.recv(1)
print(int((time.monotonic() - began) * 1e6))
END
cat >"$tmp/runner.py" <<'END'
import os, time
os.sched_setaffinity(0, {0})
while time.process_time() < 0.3: pass
print(int(open("/proc/self/schedstat").read().split()[1]) // 1000)
END
cat >"$tmp/connecter.py" <<'END'
import socket, threading, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0)
full = socket.create_connection(s.getsockname())
threading.Timer(0.3, s.accept).start()
began = time.monotonic()
late = socket.create_connection(s.getsockname())     # its first segment was dropped
print(s.getsockname()[1], int((time.monotonic() - began) * 1e6))
END
cat >"$tmp/locks.c" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *holds(void *unused)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&lock);
		pthread_barrier_wait(&both);
		usleep(30000);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&both);
	}
	return unused;
}

__attribute__((noinline)) void update_stock(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	struct timespec a, b;
	double us = 0;
	pthread_t t;

	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t, NULL, holds, NULL);
	for (int i = 0; i < 10; i++) {
		pthread_barrier_wait(&both);
		clock_gettime(CLOCK_MONOTONIC, &a);
		update_stock();
		clock_gettime(CLOCK_MONOTONIC, &b);
		us += (b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3;
		pthread_barrier_wait(&both);
	}
	printf("%.0f\n", us);
	return 0;
}
END
gcc -g -O1 -pthread -o "$tmp/locker" "$tmp/locks.c" || fail gcc
: >"$tmp/$secret"

# asked NAME 'TOOL ARG…' <<'END': the answer of the tool while these commands run is in NAME.out, what they say themselves in NAME.said.
asked() {
	{ echo "t=$(readlink -f "$t"); cd $tmp"; cat; } >"$tmp/$1.load"
	# shellcheck disable=SC2086 # words
	timeout 30 "$DTX" -qs "examples/${2%% *}.d" ${2#* } -c "bash $tmp/$1.load" >"$tmp/$1.out" 2>"$tmp/$1.err" || echo "$1: status $?" >>"$tmp/failed"
}
# us NAME ROWS: the sum of the lines "N us" below stacks that have a line of this pattern.
us() { awk -v want="$2" '$0 ~ want { on = 1 } /^ *[0-9]+ us( |$)/ { if (on) n += $1; on = 0 } END { print n + 0 }' "$tmp/$1.out"; }
# near NAME FOUND WANTED
near() { awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(b > 0 && (d < 0 ? -d : d) <= b / 20) }' || fail "$1: $2, and it is $3: $(cat "$tmp/$1".{out,err})"; }

asked file "opensnoop --file $secret" <<<'./opener opener.py' &
asked server 'offcputime -n server -t 1000' <<<'./server server.py >server.said' &
asked naps 'offcputime -n napper -t 1000' <<<'echo | ./napper 4 20 15 >naps.said' &
asked queue 'runqslower -n runner -m 0' <<<'./runner runner.py >queue.said & ./runner runner.py >other.said & wait' &
asked lock 'lockwait -n locker -t 100' <<<'./locker >lock.said' &
timeout 30 "$DTX" -qs examples/memleak.d -c "$tmp/keeper 1000 20" >"$tmp/memory.out" 2>"$tmp/memory.err" || echo "memory: $?" >>"$tmp/failed" &
asked short 'execsnoop -n shortly' <<<'for i in {1..10}; do ./shortly $i; done' &
asked connect 'tcpconnlat -n connecter -m 100ms' <<<'./connecter connecter.py >connect.said' &
disk=
if [[ $(findmnt -no SOURCE -T "$tmp") = /dev/* ]]; then
	disk=1
	asked disk 'biotop -n writer -i 1h' <<<'./writer if=/dev/zero of=file bs=64k count=8 oflag=direct 2>/dev/null' &
fi
wait
[ ! -e "$tmp/failed" ] || fail "$(cat "$tmp/failed" "$tmp"/*.err)"

same 7 "$(grep -c "$secret" "$tmp/file.out")" 'who opens the file'
near server "$(us server 'recv|sock')" "$(cat "$tmp/server.said")"
near naps "$(us naps nanosleep)" "$(cat "$tmp/naps.said")"
near queue "$(awk '$5 == "runner" { n += $6 } END { print n + 0 }' "$tmp/queue.out")" "$(cat "$tmp/queue.said" "$tmp/other.said" | awk '{ n += $1 } END { print n }')"
near lock "$(us lock update_stock)" "$(cat "$tmp/lock.said")"
grep -q '20000 bytes in 20 blocks' "$tmp/memory.out" || fail "memory: $(cat "$tmp/memory.out")"
same 10 "$(grep -c 'shortly' "$tmp/short.out")" "short processes: $(cat "$tmp/short.out")"
read -r port took <"$tmp/connect.said"
near connect "$(awk -v port="$port" '$6 == port { print $8 }' "$tmp/connect.out")" "$took"
[ -z "$disk" ] || same 524288 "$(awk '$1 == "writer" { print $4 }' "$tmp/disk.out")" 'who writes to the disk'
