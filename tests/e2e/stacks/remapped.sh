#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Libraries that take turns at one address keep their own names, within a run of the program and after it began anew in the same process.
. "$(dirname "$0")/../lib.sh"

for name in one two; do
	echo "__attribute__((noipa)) int in_$name(int (*tick)(int), int n) { return tick(n) + 1; }" >"$tmp/$name.c"
	gcc -O2 -shared -fPIC -o "$tmp/lib$name.so" "$tmp/$name.c" || fail "cannot compile lib$name.so"
done
cat >"$tmp/prog.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sum;
__attribute__((noipa)) int tick(int n) { sum += n; return sum; }
int main(int argc, char **argv)
{
	static const char *const names[] = { "one", "two" };
	int same = 0, left = argc > 1 ? atoi(argv[1]) : 5;
	void *last = 0;
	for (int i = 0; i < 100; i++) {
		char path[4096], name[16], next[16];
		snprintf(path, sizeof(path), "%s/lib%s.so", getenv("LIBS"), names[i & 1]);
		snprintf(name, sizeof(name), "in_%s", names[i & 1]);
		void *lib = dlopen(path, RTLD_NOW);
		int (*fn)(int (*)(int), int) = dlsym(lib, name);
		same += (void *)fn == last;
		last = fn;
		fn(tick, i & 1);
		dlclose(lib);
		snprintf(next, sizeof(next), "%d", left - 1);
		if (i == 99 && left)
			execl(argv[0], argv[0], next, (char *)0);
	}
	return same < 50;
}
END
gcc -O2 -o "$tmp/prog" "$tmp/prog.c" -ldl || fail "cannot compile prog.c"
LIBS=$tmp "$tmp/prog" 0 || skip "libraries are not loaded where another one was"
# Those that come before the tables are made end with a line of their own, so they are counted apart.
export LIBS=$tmp
dtx -q -n "uprobe:$tmp/prog:tick:entry { @[arg0, ustack()] = count(); }" -c "$tmp/prog"
awk '/^ +[0-9]+$/ { if (lib != "") { n[which " in " lib] += $1; lib = "" } else which = $1 } /libone.so`/ { lib = 0 } /libtwo.so`/ { lib = 1 }
	END { for (k in n) print k, n[k] }' "$tmp/out" | sort >"$tmp/counts"
same $'0 in 0 300\n1 in 1 300' "$(cat "$tmp/counts")" "arguments, libraries and counts: $(cat "$tmp/out" "$tmp/err")"
