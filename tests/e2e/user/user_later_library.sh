#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Functions and probes of a library that the program loads long after it started, by each provider; and all threads of
# a process count, of it alone.
. "$(dirname "$0")/../lib.sh"
echo '#include <sys/sdt.h>' | gcc -E - >/dev/null 2>&1 || skip "needs sys/sdt.h (systemtap-sdt-dev)"
cat >"$tmp/late.c" <<'END'
#include <sys/sdt.h>
long late(long i) { STAP_PROBE2(late, called, i, "x"); return i + 1; }
END
cat >"$tmp/main.c" <<'END'
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	void *lib = dlopen(argv[1], RTLD_NOW);
	long (*late)(long) = lib ? (long (*)(long))dlsym(lib, "late") : 0;
	for (long i = 1; late && i <= 4; i++)
		late(i);
	return !late;
}
END
gcc -shared -fPIC -O1 "$tmp/late.c" -o "$tmp/liblate.so" && gcc "$tmp/main.c" -o "$tmp/main" || fail "gcc"

run="$tmp/main $tmp/liblate.so"
dtx -qn "usdt:$tmp/liblate.so:late:called { @ = sum(arg0); } END { printa(\"%@d\n\", @); }" -c "$run"
same 10 "$(grep . "$tmp/out")" "usdt: not the four calls"
dtx -qn "uretprobe:$tmp/liblate.so:late { @ = sum(retval); } END { printa(\"%@d\n\", @); }" -c "$run"
same 14 "$(grep . "$tmp/out")" "uretprobe: not the four returns"
dtx -qn 'pid$target:liblate.so:late:entry { @ = sum(arg0); } END { printa("%@d\n", @); }' -c "$run"
same 10 "$(grep . "$tmp/out")" "pid: not the four calls"
"$DTX" -n 'pid$target:libnone.so:late:entry' -c "$run" 2>"$tmp/err" && fail "a library that is nowhere was accepted"
grep -q "has no object 'libnone.so'" "$tmp/err" || { cat "$tmp/err" >&2; fail "no word on the library"; }

# shellcheck disable=SC2016
dtx -qn 'pid$target:a.out:hit:entry { @calls = count(); @threads[tid] = count(); }
	pid$target:a.out:hit:return /retval == arg1/ { @returns = count(); }
	END { printa("%@d\n", @calls); printa("%@d\n", @returns); printa("%@d\n", @threads); }' -c "$t/threads 4 500"
same $'2000\n2000\n500\n500\n500\n500' "$(grep . "$tmp/out")" "not all calls of all threads"
