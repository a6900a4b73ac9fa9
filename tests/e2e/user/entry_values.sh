#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Parameters that a function no longer has at a line (DW_OP_entry_value): they are those of this call, at each depth and
# in each thread, in cold parts and in inlined functions. A call that was not seen from its entry is an error, never a value.
# needs: uprobes gcc readelf
# beside: it compiles and starts programs, and waits for no clock
# timeout: 60
. "$(dirname "$0")/../lib.sh"
dtx_run=$(dirname "$DTX")/dtx-run

cat >"$tmp/kept.c" <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int sink, gone;

__attribute__((noipa)) static void tell(const char *what, long a, long b)
{
	char line[80];

	snprintf(line, sizeof(line), "%s %ld %ld\n", what, a, b);
	if (write(2, line, strlen(line)) < 0)
		exit(1);
}
__attribute__((noipa)) static long use(long v) { return v + sink; }
__attribute__((noipa, cold)) static void seldom(void) { sink++; }

__attribute__((noipa)) long deep(long n, long m)
{
	long r;

	tell("deep", n, m);
	r = n ? deep(n - 1, m * 3 + 1) : 0;
	r += use(r) + use(r + 1);
	sink += 1;	/* deep */
	return r;
}

/* The rare part is in rare.cold. */
__attribute__((noipa)) long rare(long n)
{
	long r;

	tell(gone ? "cold" : "rare", n, 0);
	r = use(1);
	r += use(r) + use(r + 2);
	if (__builtin_expect(gone, 0)) {
		seldom();
		sink += 1;	/* cold */
		seldom();
		return r;
	}
	sink += 1;	/* rare */
	return r;
}

static inline __attribute__((always_inline)) long inner(long k)
{
	long twice = k * 2, r = use(0);

	tell("inner", k, twice);
	r += use(r) + use(1);
	sink += 1;	/* inner */
	return r;
}
__attribute__((noipa)) long outer(long k)
{
	return inner(k + 1);
}
__attribute__((noipa)) long other(long k)
{
	return inner(k - 1);
}

/* The first instruction is that of each turn. */
__attribute__((noipa)) int turns(const char *s)
{
	const char *p = s;

	do {
		sink++;
	} while (*p++);
	sink += 5;	/* turns */
	return sink;
}

/* m is 3 * n + 1 in each of many frames. */
__attribute__((noipa)) long many(long n, long m)
{
	long r = n ? many(n - 1, m - 3) : 0;

	r += use(r) + use(r + 1);
	sink += 1;	/* many */
	return r;
}

__attribute__((noipa)) long waits(long n, long m)
{
	long r;
	char c;

	if (read(0, &c, 1) != 1)
		exit(1);
	r = use(1);
	r += use(r) + use(r + 1);
	sink += 1;	/* waits */
	return r;
}

/* Goes on in two processes, of which one has entered it. */
__attribute__((noipa)) long forks(long n, long m)
{
	long pid = fork();
	long r = use(pid);

	r += use(r) + use(r + 1);
	sink += 1;	/* forks */
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return r;
}

static void *thread(void *arg)
{
	for (long i = 0; i < 50; i++)
		deep(4, (long)arg * 1000 + i);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	if (!strcmp(argv[1], "threads")) {
		for (long i = 0; i < 2; i++)
			pthread_create(&t[i], NULL, thread, (void *)(i + 1));
		for (long i = 0; i < 2; i++)
			pthread_join(t[i], NULL);
	} else if (!strcmp(argv[1], "waits")) {
		for (long i = 1; i < 4; i++)
			waits(i, 11 * i);
		forks(4, 44);
	} else if (!strcmp(argv[1], "many")) {
		many(40000, 120001);
	} else {
		deep(3, 7);
		deep(2, 8);
		rare(3);
		gone = 1;
		rare(5);
		outer(9);
		other(90);
		turns("abc");
	}
	return 0;
}
C
gcc -g -O2 -pthread -o "$tmp/kept" "$tmp/kept.c" || fail gcc
[ "$(readelf --debug-dump=loc "$tmp/kept" 2>/dev/null | grep -c DW_OP_entry_value)" -ge 10 ] || skip "this gcc writes no entry values"
readelf -sW "$tmp/kept" | grep -q 'rare\.cold' || fail 'there is no cold part'
# at WORD: the probe at the line with this comment.
at() { echo "uprobe:$tmp/kept:kept.c:$(grep -nF "/* $1 */" "$tmp/kept.c" | cut -d: -f1)"; }
no_value='no value from the entry of the function (it was entered before tracing or fork(), or about 32768 calls ago)'

# They are listed as available, without a reason why not.
for line in deep/n deep/m cold/n rare/n inner/k inner/twice; do
	dtx -lvn "$(at ${line%/*})"
	grep -qxE "[[:blank:]]*args.${line#*/}: long ${line#*/}" "$tmp/out" || fail "$line: $(cat "$tmp/out")"
done

# Each call has its own: what the program says, in another order.
all="$(at deep) { printf(\"deep %d %d\n\", n, m); } $(at rare) { printf(\"rare %d 0\n\", n); }
	$(at cold) { printf(\"cold %d 0\n\", n); } $(at inner) { printf(\"inner %d %d\n\", k, twice); }"
dtx -qn "$all" -c "$tmp/kept plain"
[ "$(grep -c . "$tmp/err")" = 11 ] || fail "the program: $(cat "$tmp/err")"
same "$(sort "$tmp/err")" "$(sed '/^$/d' "$tmp/out" | sort)" 'values of each call'
at=$(at deep)
dtx -qn "pid\$target:kept:deep:kept.c@${at##*:} { printf(\"%d %d,\", n, m); }" -c "$tmp/kept plain"
[ "$(cat "$tmp/out")" = "0 202,1 67,2 22,3 7,0 76,1 25,2 8," ] || fail "pid: $(cat "$tmp/out")"
# With a clause at the entry as well, and filters for the lines.
dtx -x cpu=0 --comm kept -qn "uprobe:$tmp/kept:deep:entry { @n[\"entry\"] = count(); } $at /n < 5 && m < 3000/ { @n[\"line\"] = count(); }" -c "taskset -c 0 $tmp/kept plain"
[ "$(value entry) $(value line)" = "7 7" ] || fail "entry: $(cat "$tmp/out")"

# Two threads at once: 500 calls, none with the values of another.
dtx -qn "$at { printf(\"deep %d %d\n\", n, m); }" -c "$tmp/kept threads"
[ "$(grep -c . "$tmp/err")" = 500 ] || fail "the program: $(wc "$tmp/err")"
same "$(sort "$tmp/err")" "$(sed '/^$/d' "$tmp/out" | sort)" 'values of two threads'

# More frames than are kept: the oldest are errors, all others are right.
"$DTX" -qn "$(at many) /m == 3 * n + 1/ { @v[\"right\"] = count(); } $(at many) /m != 3 * n + 1/ { @v[\"wrong\"] = count(); }
	dtrace:::ERROR { @v[\"error\"] = count(); }" -c "$tmp/kept many" >"$tmp/out" 2>"$tmp/err"
[ "$(value wrong)" = 0 ] && [ "$(value right)" -gt 20000 ] && [ $(($(value right) + $(value error) / 2)) = 40001 ] ||
	fail "many: $(cat "$tmp/out"; tail -n 3 "$tmp/err")"

# A call that began before tracing, and the child of a fork, have errors; the calls after that have values.
# waiting HOW: $tmp/kept waits, and HOW traces it; both end.
waiting() {
	rm -f "$tmp/in" "$tmp/out"
	mkfifo "$tmp/in"
	"$tmp/kept" waits <"$tmp/in" 2>/dev/null &
	local target=$!
	exec 7>"$tmp/in"
	awaits grep -q pipe_read "/proc/$target/wchan"
	"$@" >"$tmp/out" 2>"$tmp/err" &
	local tracer=$!
	awaits grep -qs begun "$tmp/out"
	for ((i = 0; i < 3; i++)); do echo -n x >&7; done
	exec 7>&-
	wait $target
	kill -TERM $tracer
	wait $tracer
}
clauses="BEGIN { printf(\"%s\n\", strjoin(\"be\", \"gun\")); } $(at waits), $(at forks) { printf(\"%d %d\n\", n, m); }"
waiting "$DTX" -x switchrate=10ms -qn "$clauses"
same "begun 2 22 3 33 4 44" "$(tr -s '\n' ' ' <"$tmp/out" | sed 's/ $//')" 'values after the first call'
[ "$(grep -cF "$no_value at -n:1:" "$tmp/err")" = 2 ] || fail "errors of two calls: $(cat "$tmp/err")"
waiting "$DTX" -x switchrate=10ms --format json -qn "$clauses"
[ "$(grep -cF '"reason":"no value from the entry of the function"' "$tmp/out")" = 2 ] || fail "JSON: $(cat "$tmp/out")"

# The same from an image.
dtx --image "$tmp/image" -x switchrate=10ms -qn "$clauses"
if [ -x "$dtx_run" ]; then
	waiting "$dtx_run" "$tmp/image"
	same "begun 2 22 3 33 4 44" "$(tr -s '\n' ' ' <"$tmp/out" | sed 's/ $//')" 'values by an image'
	[ "$(grep -cF "$no_value" "$tmp/err")" = 2 ] || fail "image: $(cat "$tmp/err")"
fi

# An entry that is passed at each turn of a loop says nothing of the call.
objdump -d "$tmp/kept" --disassemble=turns | grep -qE 'j[a-z]+ +[0-9a-f]+ <turns>$' || skip "this gcc does not begin a function with a loop"
if "$DTX" -n "$(at turns) { trace((uint64_t)s); }" 2>"$tmp/err"; then fail 'a loop at the entry is accepted'; fi
grep -qF "'s' cannot be read in uprobe:$tmp/kept:turns:kept.c@$(at turns | sed 's/.*://'): the function no longer has it here, only its caller, and its function begins with a loop" "$tmp/err" ||
	fail "turns: $(cat "$tmp/err")"
