#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.Z
# needs: uprobes umulti gcc
#
# -Z: functions of a program that is not there yet, by its path, and of a library that the target loads from a folder
# which nobody searches; with arguments in registers and on the stack, and results.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/later.c" <<'C'
#include <unistd.h>
__attribute__((noinline)) long work(long i, long b, long c, long d, long e, long f, long seventh)
{
	asm volatile("");
	return i * 2 + seventh;
}
__attribute__((noinline)) void done(void) { asm volatile(""); }
int main(void)
{
	long sum = 0;
	for (long i = 1; i <= 30; i++) {
		usleep(20000);
		sum += work(i, 0, 0, 0, 0, 0, 1000 + i);
	}
	done();
	return sum == 0;
}
C
gcc -O1 -o "$tmp/ready" "$tmp/later.c" || fail gcc
dtx -wqZn "BEGIN { system(\"cp $tmp/ready $tmp/later; $tmp/later &\"); }
	uprobe:$tmp/later:work:entry { @n = count(); @last = max(arg0); @seventh = max(arg6); }
	uprobe:$tmp/later:work:return { @result = max(retval); }
	uprobe:$tmp/later:done { exit(0); } tick-20s { exit(0); }
	END { printa(\"%@d %@d %@d %@d\n\", @n, @last, @seventh, @result); }"
read -r n rest < <(grep . "$tmp/out")
same "30 1030 1090" "$rest" "a program that comes later: $(cat "$tmp/out" "$tmp/err")"
{ [ "$n" -ge 1 ] && [ "$n" -le 30 ]; } || fail "$n calls"

# Two that are waited for by patterns: each has its own clause, and its whole name.
dtx -wqZn "BEGIN { system(\"for i in one two; do cp $tmp/ready $tmp/later_\$i; $tmp/later_\$i & done\"); }
	uprobe:*er_one:do*:entry { printf(\"1 %s %s\\n\", probemod, probefunc); n++; }
	uprobe:*er_two:do*:entry { printf(\"2 %s %s\\n\", probemod, probefunc); n++; }
	tick-20ms /n == 2/ { exit(0); } tick-20s { exit(0); }"
same "$(printf '1 %s done\n2 %s done' "$tmp/later_one" "$tmp/later_two")" "$(grep . "$tmp/out" | sort)" "two programs that come later"

# The same for probes of its own.
if echo '#include <sys/sdt.h>' | gcc -E - >/dev/null 2>&1; then
	sed 's/^#include.*/&\n#include <sys\/sdt.h>/; s/sum += work/STAP_PROBE1(own, turn, i); sum += work/' "$tmp/later.c" >"$tmp/own.c"
	gcc -O1 -o "$tmp/owner" "$tmp/own.c" || fail gcc
	dtx -wqZn "BEGIN { system(\"cp $tmp/owner $tmp/later_own; $tmp/later_own &\"); }
		usdt:$tmp/later_own:own:turn { @ = max(arg0); } uprobe:$tmp/later_own:done { exit(0); } tick-20s { exit(0); }
		END { printa(\"%@d\n\", @); }"
	same 30 "$(grep . "$tmp/out")" "probes of a program that comes later: $(cat "$tmp/err")"
fi

mkdir "$tmp/away"
echo 'long plugged(long i) { __asm__ volatile(""); return i + 100; }' >"$tmp/plug.c"
cat >"$tmp/main.c" <<'C'
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	void *plug = dlopen(argv[1], RTLD_NOW);
	long (*f)(long) = plug ? (long (*)(long))dlsym(plug, "plugged") : 0;
	usleep(500000);
	for (long i = 1; f && i <= 4; i++)
		f(i);
	return !f;
}
C
gcc -shared -fPIC -o "$tmp/away/plug.so" "$tmp/plug.c" && gcc -o "$tmp/main" "$tmp/main.c" || fail gcc
for object in plug.so 'pl*' ''; do
	dtx -Zqn "pid\$target:$object:plugged:entry { @ = sum(arg0); } pid\$target:$object:plugged:return { @r = max(retval); }
		END { printa(\"%@d %@d\n\", @, @r); }" -c "$tmp/main $tmp/away/plug.so"
	same "10 104" "$(grep . "$tmp/out")" "a library that comes later, as '$object': $(cat "$tmp/err")"
done
