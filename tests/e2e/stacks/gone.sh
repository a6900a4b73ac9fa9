#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc unshare
#
# Names of what is no more when stacks are shown: a library that was closed, one in a file in memory, code of JIT compilers that have ended
# and removed their files, a program in a root of its own that has another program's path, processes of the whole machine that have ended.
. "$(dirname "$0")/../lib.sh"

# frames: functions of $tmp/out, one stack a line, sorted.
frames() { awk '/`/ { sub(/[+]0x.*/, ""); line = line " " $1 } NF <= 1 && !/`/ { if (line != "") print line; line = "" }' "$tmp/out" | sort; }

# Code of a JIT compiler: a function that was moved, one in the place of another.
for how in map memfd; do
	dtx -qn 'pid$target:jitter:leaf:entry { @[ustack(3)] = count(); }' -c "$t/jitter $how"
	same ' jitter`leaf [jit]`first jitter`call
 jitter`leaf [jit]`second jitter`call' "$(frames)" "code of a JIT compiler: $how"
done
dtx -qn 'pid$target:jitter:leaf:entry { @[ustack(3)] = count(); }' -c "$t/jitter dump $tmp"
same ' jitter`leaf [jit]`first jitter`call
 jitter`leaf [jit]`fourth jitter`call
 jitter`leaf [jit]`second jitter`call
 jitter`leaf [jit]`second jitter`call' "$(frames)" "code of a JIT compiler: dump"
# The lines of code that was moved are not known.
dtx -x stacklines -qn 'pid$target:jitter:leaf:entry { @[ustack(2)] = count(); }' -c "$t/jitter dump $tmp"
same '[jit]`first+0x10 (made.js:11)
[jit]`fourth+0x10 (made.js:41)
[jit]`second+0x10
[jit]`second+0x10 (made.js:21)' "$(sed -n 's/^ *\(\[jit\].*\)/\1/p' "$tmp/out" | sort)" 'lines of a JIT compiler'

cat >"$tmp/lib.c" <<'END'
int leaf(int n);
__attribute__((noipa)) int in_library(int n) { return leaf(n) + 1; }
END
cat >"$tmp/main.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noipa)) int leaf(int n) { return n + 1; }
static char lib[1 << 20];
int main(int argc, char **argv)
{
	char path[64];
	FILE *f = fopen(argv[1], "r");
	size_t n = fread(lib, 1, sizeof(lib), f);
	int fd = memfd_create("plugin", 0);

	if (argc < 3 || write(fd, lib, n) != (ssize_t)n)
		return 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (int i = 0; i < 2; i++) {
		void *lib = dlopen(argv[2][0] == 'm' ? path : argv[1], RTLD_NOW);
		int (*f)(int) = (int (*)(int))dlsym(lib, "in_library");
		f(1);
		usleep(300000);
		dlclose(lib);
	}
	return 0;
}
END
(cd "$tmp" && gcc -O2 -fno-omit-frame-pointer -shared -fPIC -o lib.so lib.c && gcc -O2 -rdynamic -o prog main.c) || fail "cannot compile"
for how in file:lib.so memory:memfd:plugin; do
	dtx -qn 'pid$target:prog:leaf:entry { @[ustack(2)] = count(); }' -c "$tmp/prog $tmp/lib.so $how"
	same " prog\`leaf ${how#*:}\`in_library" "$(frames | uniq)" "a library that was closed: $how"
done

# In a root of its own, which is gone at the end, /spinner is another program than here.
program() { # NAME FUNCTION: a program that calls leaf() through FUNCTION
	printf '__attribute__((noipa)) int leaf(int n) { return n + 1; }
		__attribute__((noipa)) int %s(int n) { return leaf(n) + 1; } int main(void) { return %s(1) == 77; }' "$2" "$2" |
		gcc -x c -O2 -static -o "$1" - || fail "cannot compile"
}
mkdir "$tmp/root" "$tmp/here"
program "$tmp/root/spinner" inside
program "$tmp/here/spinner" outside
mkdir -p "$tmp/root$tmp/here" && mv "$tmp/root/spinner" "$tmp/root$tmp/here/spinner"
"$DTX" -qn "BEGIN { printf(\"ready\n\"); } uprobe:$tmp/root$tmp/here/spinner:leaf:entry, uprobe:$tmp/here/spinner:leaf:entry { @[ustack(3)] = count(); }" \
	>"$tmp/out" 2>"$tmp/err" &
tracer=$!
trap 'kill -INT $tracer 2>/dev/null; rm -rf "$tmp"' EXIT
begun
for i in 1 2 3; do
	unshare -m chroot "$tmp/root" "$tmp/here/spinner"
	"$tmp/here/spinner"
done
rm -r "$tmp/root"
kill -TERM $tracer
wait $tracer
same ' spinner`leaf spinner`inside spinner`main
 spinner`leaf spinner`outside spinner`main' "$(frames | uniq)" "in a root of its own: $(cat "$tmp/err")"
same 6 "$(awk 'NF == 1 && /^ *[0-9]+$/ { n += $1 } END { print n }' "$tmp/out")" "firings"
