#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.Z
# needs: uprobes umulti gcc
# timeout: 60
# waits: for programs that start later
#
# -Z: probes of a program that starts later, of a library that is loaded later, of a file that takes the place of another;
# each fires once, with its arguments and names; from an image as well.
. "$(dirname "$0")/../lib.sh"
[[ $DTX = /* ]] || DTX=$PWD/$DTX
cd "$tmp" || exit 1

cat >probes.c <<'END'
#define NOTE(name, sem, args) \
	"990: nop\n.pushsection .note.stapsdt, \"\", \"note\"\n.balign 4\n" \
	".4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n" \
	"993: .8byte 990b, 0, " sem "\n.asciz \"" PROVIDER "\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n" \
	"994: .balign 4\n.popsection\n"
static int debts[] = { 0, -5, 1 };
static char word[] = "?ord";
__attribute__((section(".probes"), used)) unsigned short looked_at;
__attribute__((noinline)) void FUNCTION(int i)
{
	word[0] = 'w';
	__asm__ volatile(NOTE("tick__tock", "0", "-4@%[i] 8@%[w] -4@4(%[d]) 4@4(%[d]) -4@(%[d],%[one],4) 1@$300")
			 : : [i] "r"(i), [w] "r"(word), [d] "r"(debts), [one] "r"(1L) : "memory");
	if (looked_at)
		__asm__ volatile(NOTE("guarded", "looked_at", "8@%[i]") : : [i] "r"((long)i) : "memory");
}
END
cat >main.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
void own(int);
int main(int argc, char **argv)
{
	void (*fire)(int) = own;
	if (argc > 2) {
		usleep(100000);
		fire = (void (*)(int))dlsym(dlopen(argv[2], RTLD_NOW), "plug");
	}
	usleep(500000);
	for (int i = 0; i < atoi(argv[1]); i++)
		fire(i);
	return 0;
}
END
gcc -O1 -DFUNCTION=own '-DPROVIDER="later"' -c probes.c -o own.o && gcc -O1 main.c own.o -o app -ldl &&
	gcc -O1 -shared -fPIC -DFUNCTION=plug '-DPROVIDER="plug"' probes.c -o plug.so || fail 'the programs do not compile'

# tracing ARG…: dtx in the background, which traces when this returns; its output in $tmp/out.
tracing() {
	: >out
	"$DTX" "$@" >out 2>err &
	pid=$!
	awaits grep -q begun out
}
begun='BEGIN { printf("begun\n"); } tick-60s { exit(1); } later*:::guarded /arg0 == 99/ { exit(0); }'

# A program by name: what compilers write as arguments, names, a semaphore, an aggregation.
tracing -qZ -x switchrate=10ms -n 'later*:::tick-tock /probename == "tick-tock"/ {
	printf("%d %s %d %u %d %d|%s %s %s %d\n", arg0, copyinstr(arg1), arg2, args[3], args[4], arg5, probeprov, probemod, probefunc, id == 0);
	@[probename, probemod] = count(); }' -n "$begun" || exit 1
./app 3
./app 100
wait $pid || fail "status $?: $(cat out err)"
same 'begun
0 word -5 4294967291 -5 44|later app own 0
1 word -5 4294967291 -5 44|later app own 0
2 word -5 4294967291 -5 44|later app own 0' "$(head -n 4 out)" 'a program that starts later'
grep -qE 'tick-tock +app +103$' out || fail "not 103 firings: $(tail -n 3 out; cat err)"

# One that runs already is attached once, and so is a file that takes its place.
./app 3 &
early=$!
awaits executes $early "$tmp/app"
kill -STOP $early
tracing -qZ -n 'later*:::tick-tock { @[probemod] = count(); }' -n "$begun"
kill -CONT $early
./app 10
cp app new && mv new app
./app 100
wait $pid $early || fail "status $?: $(cat out err)"
grep -qE '^ *app +113$' out || fail "not 113 firings of two files: $(cat out err)"

# A library that the command loads.
dtx -qZ -n 'plug$target:::tick-tock { printf("%d %s %s %s\n", arg0, copyinstr(arg1), probemod, probeprov == strjoin("plug", lltostr(pid)) ? "numbered" : "?"); }' \
	-c './app 2 ./plug.so'
same '0 word plug.so numbered
1 word plug.so numbered' "$(grep . out)" 'a library that is loaded later'

# An image knows no more than that.
dtx -Z --image later.img -n 'later*:::tick-tock { @[probemod] = sum(arg0); }' -n "$begun"
tracing -q -r later.img
./app 100
wait $pid || fail "the image: status $?: $(cat out err)"
grep -qE '^ *app +4950$' out || fail "from an image: $(cat out err)"

# -x maxoverhead measures them, too, from when they are attached on. A recording has their names, however many there are.
# truth: recordings, probes found while tracing | --replay prints what the run printed | the run's own output
tracing -qZ -x maxoverhead=100% --record later.rec -n 'END { printf("over\n"); }' -n "$begun" \
	-n 'later*:::tick-tock { printf("%s %d\n", probemod, arg0); @[probemod] = count(); }'
runs=
for i in {1..4}; do
	cp app app$i
	./app$i 3 &
	runs+=" $!"
done
wait $runs
./app 100
wait $pid || fail "with maxoverhead: status $?: $(cat out err)"
grep 'is detached' err && fail 'what costs nothing is detached'
same 4 "$(grep -cE '^ *app[0-9]+ +3$' out)" 'programs'
cp out told
dtx --replay later.rec
cmp -s told out || fail "the recording shows something else: $(diff told out | head -n 5)"

# A clause that it has detached stays so: no later program is slowed, and dtx says why. The others go on. What a program
# with one thread loses is not more than one CPU.
# attack: a hot place in a later program with maxoverhead | a share of at most 100%; later programs are left alone
gcc -O1 -DFUNCTION=own '-DPROVIDER="hot"' -c probes.c -o hot.o && cat >hot.c <<'END' && gcc -O1 hot.c hot.o -o hot ||
#include <signal.h>
#include <unistd.h>
void own(int);
int main(int argc, char **argv)
{
	alarm(40);
	for (int i = 0; argc > 1 ? i < 1000 : 1; i++)
		own(i);
	return 0;
}
END
	fail 'the hot program does not compile'
tracing -qZ -x maxoverhead=0.01% -n 'hot*:::tick-tock { @[probemod] = count(); }' -n "$begun"
./hot &
hot=$!
until_true 30 grep -q 'is detached' err
cp hot hotter
./hotter short
until_true 10 grep -q 'not attached' err
kill $hot
./app 100
wait $pid || fail "a detached clause: status $?: $(cat out err)"
grep -q 'not attached: hot:hotter:own:tick-tock: maxoverhead has detached its clause' err || fail "no reason: $(cat err)"
grep -q hotter out && fail 'what was detached is attached again'
# The price of a trap is measured, so the sum can be a little above the whole; at that of a step it was 25 times as much.
share=$(sed -n 's/.*hot:hot:.* it took \([0-9]*\)\..*/\1/p' err)
[ -n "$share" ] && [ "$share" -le 300 ] || fail "a share of a CPU of $share%: $(cat err)"

# Without -Z it is an error, with a way out.
"$DTX" -n 'later*:::tick-tock' >out 2>&1 && fail 'it is accepted without -Z'
grep -q -e '-Z waits for it' out || fail "no way out: $(cat out)"
