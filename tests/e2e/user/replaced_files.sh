#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc
# where: native
# timeout: 60
# waits: for programs that are replaced
#
# A program and its library were replaced while the program runs: by rename, by deletion, behind a symbolic link. It still runs the old
# files, so these are probed, under their names; never the new ones, whose functions are at other places.
#
# truth: files of a process that were replaced | calls counted by pid, uprobe and usdt:, with arguments | the program counts its calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/lib.c" <<'END'
#ifdef LATER
int pad1(int n) { return n * n * n + 1; }
int pad2(int n) { return pad1(n) * n; }
#endif
__attribute__((noipa)) int helps(int n) { __asm__ volatile("" ::: "memory"); return n + 1; }
END
cat >"$tmp/prog.c" <<'END'
#include <unistd.h>
int helps(int);
#ifdef LATER
int pad1(int n) { return n * n * n + 1; }
int pad2(int n) { return pad1(n) * n; }
#endif
__attribute__((noipa)) int beats(int n) { return helps(n); }
int main(void) { for (int n = 41;; usleep(5000)) beats(n); }
END
build() { # FOLDER OPTION…
	mkdir -p "$1" && gcc -g -O1 -shared -fPIC "${@:2}" -o "$1/libhelps.so" "$tmp/lib.c" &&
		gcc -g -O1 "${@:2}" -o "$1/prog" "$tmp/prog.c" -L"$1" -lhelps -Wl,-rpath,"$tmp/now" || fail 'cannot compile'
}
build "$tmp/now"
build "$tmp/new" -DLATER
ln -s now/prog "$tmp/link"
pid=
trap 'kill $pid; rm -rf "$tmp"' EXIT
"$tmp/now/prog" & pid=$!
awaits grep -q libhelps /proc/$pid/maps

counts() { # PROBE…: each is hit, with 41 in args.n
	local probe
	for probe; do
		"$DTX" -qn "$probe { @[args.n] = count(); seen = 1; } tick-10ms { i++; } tick-10ms /seen ? i > 9 : i > 500/ { exit(0); }" -p $pid >"$tmp/out" 2>"$tmp/err"
		[ "$(awk 'NF { print $1; exit }' "$tmp/out")" = 41 ] || fail "$1: $probe: $(cat "$tmp/out" "$tmp/err")"
		! grep -q warning "$tmp/err" || fail "$probe: $(cat "$tmp/err")"
	done
}
all() {
	counts 'pid$target:a.out:beats:entry' "pid$pid:prog:beats:entry" "uprobe:$tmp/now/prog:beats" "uprobe:$tmp/link:beats" "uprobe:prog:beats" \
		'pid$target:libhelps.so:helps:entry' "pid$pid:libhelps:help*:entry" "uprobe:$tmp/now/libhelps.so:helps"
}
all
mv "$tmp/new/prog" "$tmp/now/prog" && mv "$tmp/new/libhelps.so" "$tmp/now/libhelps.so"
all
"$DTX" -qn 'pid$target::helps:entry { @[ustack()] = count(); exit(0); }' -p $pid >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
grep -q 'libhelps.so`helps' "$tmp/out" && grep -q 'prog`beats+0x' "$tmp/out" || fail "the stack: $(cat "$tmp/out")"
rm "$tmp/now/prog" "$tmp/now/libhelps.so"
all

# A file that the process does not use is probed, but it is told that nothing comes from it now.
build "$tmp/new"
"$DTX" -n "uprobe:$tmp/new/libhelps.so:helps { } BEGIN { exit(0); }" -p $pid >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
grep -q "process $pid does not use the file $tmp/new/libhelps.so now" "$tmp/err" || fail "a file that is not used: $(cat "$tmp/err")"
