#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc python3 setpriv
# where: native
# timeout: 60
#
# What stands where a file should: opening a FIFO waits for its other side, opening a device may do something. dtx neither
# waits for what another user has put there nor opens it.
# attack: a FIFO of another user as -o, -s, -L, --fmt, --replay, -r, --record, --trace, --stacks, --diff, cat(), freopen() | refused with a sentence, no wait
# attack: a device, a socket, a folder where a file should be | refused with a sentence
# attack: a FIFO as what a program's debugging information names (.dwo of -gsplit-dwarf, .gnu_debugaltlink, .gnu_debuglink) | never opened, and the message says so
# attack: a FIFO as perf map, program, source | never opened: its writer goes on waiting
. "$(dirname "$0")/../lib.sh"

pids=()
trap 'kill "${pids[@]}" 2>/dev/null; rm -f "/tmp/perf-${pids[0]:-0}.map"; rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
mkdir "$tmp/theirs" "$tmp/lib"
f=$tmp/theirs/fifo
mkfifo "$f" "$tmp/lib/x.d" "$tmp/own"
chown -R 65534 "$tmp/theirs" "$tmp/lib"

# refused WHY ARGUMENT…: dtx does not wait, and says why.
refused() {
	local why=$1 status
	shift
	timeout -k 1 60 "$DTX" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	[ $status -lt 124 ] || fail "$*: it waits (status $status)"
	grep -q "$why" "$tmp/out" "$tmp/err" || fail "$*: status $status: $(cat "$tmp/out" "$tmp/err")"
}
prog='BEGIN { @[pid, stack()] = count(); exit(0); }'
for at in "$f:it is a FIFO of another user" "/dev/kmsg:it is a device" "$tmp/socket:it is a socket" "$tmp/lib:[Ii]s a directory"; do
	path=${at%%:*} why=${at#*:}
	[ "$path" != "$tmp/socket" ] || python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$path"
	for option in -o --record --trace --image; do refused "$why" -q $option "$path" -n "$prog"; done
	for option in -s --fmt --replay -r --inspect; do refused "$why" -q $option "$path"; done
	refused "$why" -q --stacks "folded=$path" -n "$prog"
	refused "$why" -q --stacks "folded=$tmp/folded" --diff "$path" -n "$prog"
	refused "$why" -q --serve 127.0.0.1:0 -x metricstoken="$path" -n "$prog"
	refused "$why" -qwn 'BEGIN { freopen("%s", $$1); exit(0); }' "$path"
	[ "$path" = "$tmp/lib" ] || refused "$why" -qn 'BEGIN { cat("%s", $$1); exit(0); }' "$path"
done
refused "cannot read the library $tmp/lib/x.d: it is a FIFO of another user" -q -L "$tmp/lib" -n "$prog"

# One's own FIFO, a pipe that somebody gave, and devices that hold nothing are as good as a file.
echo 'BEGIN { printf("read\n"); exit(0); }' >"$tmp/own" &
pids+=($!)
same read "$(timeout -k 1 60 "$DTX" -qs "$tmp/own")" "-s with a FIFO of this user"
timeout -k 1 60 "$DTX" -q -o "$tmp/own" -n 'BEGIN { printf("written\n"); exit(0); }' &
pids+=($!)
same written "$(timeout 60 cat "$tmp/own")" "-o with a FIFO of this user"
same piped "$(echo 'BEGIN { printf("piped\n"); exit(0); }' | setpriv --reuid=65534 cat | "$DTX" -qs /dev/stdin)" '-s /dev/stdin'
same out "$("$DTX" -q -o /dev/stdout -n 'BEGIN { printf("out\n"); exit(0); }' | cat)" '-o /dev/stdout, a pipe'
dtx -q -o /dev/null -s <(echo "$prog")

# Of traced processes: nobody opens these FIFOs, so that their writers wait until the end.
gcc -O0 -fno-omit-frame-pointer -g -x c -o "$tmp/makes" - <<'END' || fail 'cannot compile'
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
setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/makes" &
pids=($! "${pids[@]}")
map=/tmp/perf-${pids[0]}.map
mkfifo "$map"
chown 65534:65534 "$map"
# writes FIFO: a writer that leaves a file when somebody reads.
writes() {
	sh -c 'echo >"$1" && : >"$2"' sh "$1" "$tmp/opened" 2>/dev/null &
	pids+=($!)
}
writes "$map"
writes "$f"
dtx -qn 'syscall::getpgid:entry /pid == $1/ { ustack(1); n++; } syscall::getpgid:entry /n > 5/ { exit(0); }' "${pids[0]}"
grep -q . "$tmp/out" || fail 'no stack'
"$DTX" -ln "uprobe:$f:*:entry" >"$tmp/out" 2>&1
"$DTX" -ln "line:$tmp/makes:$f:1" >"$tmp/out" 2>&1

# What debugging information names. A name of 64-bit DWARF and one in the entry itself are other ways to say it.
cat >"$tmp/named.c" <<'END'
struct s { int x; };
__attribute__((noinline)) int named(int a, struct s *p) { return a + p->x; }
int main(void) { struct s s = { 0 }; return named(0, &s); }
END
for how in '' -gdwarf64 -gdwarf-4; do
	rm -f "$tmp"/named*.dwo
	(cd "$tmp" && CCACHE_DISABLE=1 gcc -O0 -g -gsplit-dwarf $how -c -o named.o named.c && gcc -o named named.o) || fail 'cannot compile'
	for d in "$tmp"/named*.dwo; do
		rm "$d" || fail "no .dwo: $how"
		mkfifo "$d"
		writes "$d"
	done
	if timeout 30 "$DTX" -qn 'pid$target:a.out:named:entry { trace(args.a); }' -c "$tmp/named" >"$tmp/out" 2>&1; then fail "$how: values"; fi
	grep -q 'debugging information .* not .*plain' "$tmp/out" || fail "$how: $(cat "$tmp/out")"
done
gcc -O0 -g -S -o "$tmp/named.s" "$tmp/named.c" && python3 - "$tmp/named.s" <<'END' && gcc -o "$tmp/linked" "$tmp/named.s" || fail 'cannot compile'
import sys
head, abbrev, rest = open(sys.argv[1]).read().partition('.Ldebug_abbrev0:\n')  # DW_AT_name by DW_FORM_GNU_strp_alt
table, end, rest = rest.partition('\t.section')
table = table.replace('\t.uleb128 0x3\n\t.uleb128 0xe\n', '\t.uleb128 0x3\n\t.uleb128 0x1f21\n')
open(sys.argv[1], 'w').write(head + abbrev + table + end + rest)
END
mkfifo "$tmp/alt" "$tmp/linked.debug"
printf '%s\0%020d' "$tmp/alt" 1 >"$tmp/link"
objcopy --add-section .gnu_debugaltlink="$tmp/link" "$tmp/linked" || fail 'objcopy'
writes "$tmp/alt"
timeout 30 "$DTX" -qn 'pid$target:a.out:named:entry { trace(args[0]); }' -c "$tmp/linked" >"$tmp/out" 2>&1 || fail ".gnu_debugaltlink: $(cat "$tmp/out")"
writes "$tmp/linked.debug"
objcopy --strip-debug "$tmp/linked" "$tmp/bare" && printf 'linked.debug\0\0\0\0\1\2\3\4' >"$tmp/link" &&
	objcopy --add-section .gnu_debuglink="$tmp/link" "$tmp/bare" || fail 'objcopy'
if timeout 30 "$DTX" -qn 'pid$target:a.out:named:entry { trace(args.a); }' -c "$tmp/bare" >"$tmp/out" 2>&1; then fail '.gnu_debuglink'; fi
[ ! -e "$tmp/opened" ] || fail "a FIFO was opened: $(ls "$map" "$f" "$tmp")"
exit 0
