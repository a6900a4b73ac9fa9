#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root perf gcc setpriv python3
# where: native
# timeout: 60
# waits: for maps that are never read to their end
#
# A traced process writes /tmp/perf-PID.map as it likes: full of holes, without an end, with a name of megabytes, cut and written anew.
# Nothing of it makes dtx large or deaf, and a name is that of the last line for its address, or there is none.
#
# attack: a sparse /tmp/perf-PID.map of 20 GB, stacks printed | the run ends in time, less than 20 MB read
# attack: a perf map with a name of 4 MB | the name is cut at 1,024 bytes
# attack: a perf map of more than 128 MB | it gives no name, memory below 200 MB, and a message says so
# attack: a perf map that an earlier process with the same number has left | it gives no name, and a message says so
# truth: names of code made at run time | perf map continued, and written anew | the lines that the test wrote
. "$(dirname "$0")/../lib.sh"

gcc -O0 -fno-omit-frame-pointer -x c -o "$tmp/makes" - <<'END' || fail 'cannot compile'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xb8, 121, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05, 0x5d, 0xc3 };
int main(void)
{
	void *at = mmap((void *)0x700000000000, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	memcpy(at, code, sizeof(code));
	for (;;) {
		((void (*)(void))at)();
		usleep(2000);
	}
}
END
chmod 755 "$tmp" "$tmp/makes"
setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/makes" &
pid=$! map=/tmp/perf-$!.map
trap 'kill $pid; rm -rf "$tmp" "$map"' EXIT
owned() { chown 65534:65534 "$map"; }
stacks='syscall::getpgid:entry /pid == $1/ { ustack(1); } tick-1s { exit(0); }'

# What was read (bytes) and what memory it took (kB), in $read and $most.
measured() {
	python3 - "$tmp/used" "$DTX" "$@" >"$tmp/out" 2>"$tmp/err" <<'END'
import resource, subprocess, sys, os
p = subprocess.Popen(sys.argv[2:])
os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)
read = [l.split()[1] for l in open(f'/proc/{p.pid}/io') if l.startswith('rchar')][0]
p.wait()
print(read, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open(sys.argv[1], 'w'))
sys.exit(p.returncode)
END
	status=$?
	read -r read most <"$tmp/used"
	[ $status = 0 ] || fail "status $status: $(cat "$tmp/err")"
}

"$DTX" -qn "$stacks" 1 >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
setpriv --reuid=65534 --regid=65534 --clear-groups truncate -s 20G "$map"
measured -qn 'BEGIN { exit(0); }'
without=$read
measured -qn "$stacks" $pid
grep -q '0x70000000000d' "$tmp/out" || fail "no stack: $(head "$tmp/out")"
[ $((read - without)) -lt 20000000 ] || fail "$((read - without)) bytes more were read with a file of holes"

{ printf '700000000000 1000 '; head -c 4000000 /dev/zero | tr '\0' x; echo; } >"$map" && owned
measured -qn "$stacks" $pid
grep -q '`xxxxxxxx' "$tmp/out" || fail "the long name is not there: $(head -c 300 "$tmp/out")"
[ "$(wc -L <"$tmp/out")" -lt 1100 ] || fail "a line has $(wc -L <"$tmp/out") characters"

# Continued and written anew, while dtx looks.
printf '700000000000 1000 first\n' >"$map" && owned
"$DTX" -qn 'syscall::getpgid:entry /pid == $1/ { ustack(1); } tick-8s { exit(0); }' $pid >"$tmp/out" 2>"$tmp/err" &
tracer=$!
shows() { until_true 6 grep -q "jit\]\`$1" "$tmp/out" || fail "no frame '$1': $(tail -n 3 "$tmp/out")"; }
shows first
printf '700000000000 1000 sec' >>"$map"; printf 'ond\n' >>"$map"; shows second
printf '600000000000 10 elsewhere\n700000000000 10 third\n800000000000 10 after\n' >"$map"; shows third
kill -INT $tracer; wait $tracer || fail "$(cat "$tmp/err")"
! grep -q '`sec[^o]' "$tmp/out" || fail 'a line that was not written to its end has given a name'

printf '700000000000 1000 earlier\n' >"$map" && owned && touch -d '2 minutes ago' "$map"
dtx -qn 'syscall::getpgid:entry /pid == $1/ { @[ustack(1)] = count(); } tick-300ms { exit(0); }' $pid
! grep -q '`earlier' "$tmp/out" || fail "a map of an earlier process has given a name: $(cat "$tmp/out")"
grep -q "the perf map of process $pid was written before the process began" "$tmp/err" || fail "nothing was told: $(cat "$tmp/err")"

python3 -c "
line = b''.join(b'%x 10 function_%d_of_many_that_are_told\n' % (0x600000000000 + i * 16, i) for i in range(20000))
f = open('$map', 'wb'); f.write(b'700000000000 1000 early\n')
for i in range(150 * 1000000 // len(line)): f.write(line)
f.write(b'700000000000 1000 late\n')" && owned
measured -qn 'syscall::getpgid:entry /pid == $1/ { @[ustack(1)] = count(); } tick-1s { exit(0); }' $pid
! grep -qE '`(early|late)' "$tmp/out" || fail "a map that was not read to its end has given a name: $(cat "$tmp/out")"
grep -q "the perf map of process $pid is too large" "$tmp/err" || fail "nothing was told: $(cat "$tmp/err")"
plain 'a sanitizer takes memory of its own'
[ "$most" -lt 200000 ] || fail "dtx took $most kB"
