#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes btf python3
# where: both
#
# --image keeps a compiled program in a file, -r runs it: it does what the program does, and is refused where it would
# trace something else than it was made for.
. "$(dirname "$0")/../lib.sh"

# addresses FILE: its text without what is another number each time.
addresses() { sed -E 's/0x[0-9a-f]{12,}/ADDRESS/g' "$1"; }

# kept ARG…: the same arguments run at once and by way of an image give the same output, messages and status.
kept() {
	local status
	"$DTX" "$@" >"$tmp/now" 2>&1
	status=$?
	"$DTX" --image "$tmp/image" "$@" >"$tmp/said" 2>&1 || fail "--image $*: $(cat "$tmp/said")"
	[ ! -s "$tmp/said" ] || fail "--image $* says: $(cat "$tmp/said")"
	"$DTX" -r "$tmp/image" >"$tmp/later" 2>&1
	same "$status" $? "status of $*"
	same "$(addresses "$tmp/now")" "$(addresses "$tmp/later")" "output of $*"
}

# refused WORDS ARG…: an error that says so.
refused() {
	local words=$1 status
	shift
	"$DTX" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status = 1 ] || [ $status = 2 ] || fail "$*: status $status"
	grep -qF "$words" "$tmp/err" || fail "$* does not say '$words': $(cat "$tmp/err")"
	[ "$(grep -c '^dtx: ' "$tmp/err")" -le 1 ] || fail "$*: more than one message: $(cat "$tmp/err")"
}

# edited FROM TO: the image with other text of the same length in its manifest, and the hash that belongs to it.
edited() {
	[ ${#1} = ${#2} ] || fail "the lengths differ: $1 $2"
	grep -qaF "$1" "$tmp/image" || fail "the image has no '$1'"
	LC_ALL=C sed "s|$1|$2|" "$tmp/image" >"$tmp/edited"
	sealed "$tmp/edited"
}

# In guests, functions of the kernel: one by a trampoline where there are any, several by kprobes. The rest is the same everywhere.
if [ -n "${DTX_GUEST:-}" ]; then
	run="BEGIN { system(\"$t/syscalls >/dev/null &\"); } syscall::exit_group:entry /execname == \"syscalls\"/ { exit(0); }"
	kept -wqn "$run fbt::${sys}getpgid:return /execname == \"syscalls\"/ { @[probefunc, arg1] = count(); }"
	kept -wqn "$run kprobe:${sys}get*id /execname == \"syscalls\"/ { @[probefunc] = count(); }"
	exit 0
fi

kept -qn 'BEGIN { printf("%s %d\n", "text", 7); exit(3); }'
kept -qn 'BEGIN { @b["b"] = quantize(9); @["a"] = count(); @n = max(-4); exit(0); } END { trace("end"); }'
kept -qn 'BEGIN { x["k"] = 3; self->t = x["k"]; printf("%d %s\n", self->t, $$1); exit(0); }' operand
kept -qn 'struct pair { int a; char b[4]; }; BEGIN { this->p = (struct pair *)alloca(sizeof (struct pair)); this->p->a = 7; this->p->b[1] = 97; print(this->p); exit(0); }'
kept -qn 'BEGIN { trace(*(int *)8); } ERROR { printf("fault %d at %x\n", arg4, arg5); exit(1); }'
kept -wqn 'BEGIN { system("echo %s", "by system"); exit(0); }'
kept -qn 'tick-1ms { n++; } tick-1ms /n == 20/ { printf("%d ticks\n", n); exit(0); }'
kept -qx strsize=4 -n '#pragma D option aggsortrev
	BEGIN { @[strjoin("lo", "ng")] = sum(1); @["x"] = sum(2); printf("%s", strjoin("cut", "ter")); exit(0); }'

# --- events of others ----------------------------------------------------------------------------------

run="BEGIN { system(\"$t/syscalls >/dev/null &\"); } syscall::exit_group:entry /execname == \"syscalls\"/ { exit(0); }"
kept -wqn "$run syscall::getpgid:entry /execname == \"syscalls\"/ { @[arg0] = count(); }"
run="BEGIN { system(\"$t/typed >/dev/null &\"); } syscall::exit_group:entry /execname == \"typed\"/ { exit(0); }"
kept -wqn "$run uprobe:$t/typed:main:entry { @[probefunc, arg0] = count(); }"
run="BEGIN { system(\"$t/typed >/dev/null &\"); }"
kept -wqn "$run tracepoint:sched:sched_process_exit /args->comm == \"typed\"/ { printf(\"%s\\n\", args->comm); exit(0); }"

# --- options ----------------------------------------------------------------------------------------------

"$DTX" --image "$tmp/image" -n 'BEGIN { printf("%s", "some text"); exit(0); }' || fail "an image"
grep -q matched <("$DTX" -r "$tmp/image" 2>&1) || fail "an image that is not quiet"
same "some text" "$("$DTX" -r "$tmp/image" -q | grep .)" "an option beside -r"
"$DTX" -qr "$tmp/image" -b 64k -o "$tmp/to" || fail "other options beside -r"
same "some text" "$(grep . "$tmp/to")" "-o beside -r"
"$DTX" -e -r "$tmp/image" || fail "-e beside -r"
refused 'the option strsize is part of an image' -r "$tmp/image" -x strsize=4
refused 'status' -r "$tmp/image" -x status
"$DTX" --image "$tmp/image" -qx strsize=4 -n 'BEGIN { printf("%s", "some text"); exit(0); }' || fail "an image"
"$DTX" -r "$tmp/image" -x strsize=4 >"$tmp/out" || fail "the option that it was compiled with"
refused 'the option strsize is part of an image' -r "$tmp/image" -x strsize=5

# --- what does not fit --------------------------------------------------------------------------------------

edited "\"kernel\":\"$(uname -r)" "\"kernel\":\"$(uname -r | tr '0-9' '1-90')"
refused 'compile the program on this kernel' -r "$tmp/edited"
edited "$(grep -aom1 '"version":[0-9]' "$tmp/image")" '"version":9'
refused 'version 9' -r "$tmp/edited"
edited '"ringbuf"' '"ringbux"'
refused "needs the kernel ability 'ringbux', which this dtx does not know" -r "$tmp/edited"
edited '"kernel"' '"kernex"'
refused 'does not say what kernel' -r "$tmp/edited"
cp "$t/typed" "$tmp/program"
"$DTX" --image "$tmp/image" -n "uprobe:$tmp/program:main:entry { exit(0); }" || fail "an image for a program"
touch -d 2001-01-01 "$tmp/program"
refused "was made for another $tmp/program" -r "$tmp/image"
rm "$tmp/program"
refused "$tmp/program, which cannot be read" -r "$tmp/image"
"$DTX" --image "$tmp/image" -n 'tracepoint:sched:sched_switch { trace(args->next_pid); exit(0); }' || fail "an image with a number"
boot=$(cat /proc/sys/kernel/random/boot_id)
edited "\"boot\":\"$boot" "\"boot\":\"$(echo "$boot" | tr '0-9a-f' '1-9a-f0')"
refused 'which changed when the machine was restarted' -r "$tmp/edited"
head -c 3000 "$tmp/image" >"$tmp/edited"
refused 'image' -r "$tmp/edited"
echo 'BEGIN { exit(0); }' >"$tmp/script.d"
refused 'this is not an image' -r "$tmp/script.d"
dtx --record "$tmp/recording" -qn 'BEGIN { exit(0); }'
refused 'this is not an image: it is a recording, which --replay FILE shows' -r "$tmp/recording"
dtx --describe "$tmp/machine"
refused 'this is not an image: it is compressed, as the description of a machine is, which -x machine=FILE reads' -r "$tmp/machine"
refused 'cannot read the image' -r "$tmp/none"

# --- what an image cannot be, and what -r does not go with -----------------------------------------------------

for macro in ppid target uid; do
	refused "\$$macro is different in each run" --image "$tmp/other" -n "BEGIN { trace(\$$macro); exit(0); }"
done
for place in 'pid$pid::main:entry { exit(0); }' 'BEGIN { trace($$pid); exit(0); }'; do
	refused '$pid is different in each run' --image "$tmp/other" -n "$place"
done
# truth: $pid of an image | it is the process that runs it | pid in BEGIN
dtx --image "$tmp/own" -n 'BEGIN { printf("%d", $pid == pid && -$pid < 0 && sizeof ($pid) == 4); exit(0); }'
dtx -qr "$tmp/own"
same 1 "$(cat "$tmp/out")" '$pid of an image'
refused 'select the process by what it has on each machine' --image "$tmp/other" -n 'BEGIN /pid == $target/ { exit(0); }'
refused 'an image has no target process' --image "$tmp/other" -c true -n 'BEGIN { exit(0); }'
refused 'an image has no target process' -r "$tmp/image" -p $$
refused 'its programs and operands were set when it was compiled' -r "$tmp/image" -n 'BEGIN { exit(0); }'
refused 'its programs and operands were set when it was compiled' -r "$tmp/image" operand
refused 'only one of' --image "$tmp/other" -ln 'BEGIN'
[ ! -e "$tmp/other" ] || fail "a refused image was written"
cp "$tmp/image" "$tmp/before"
refused 'unknown' --image "$tmp/image" -n 'BEGIN { trace($unknown); }'
cmp "$tmp/before" "$tmp/image" || fail "an error in the program took the old image away"
refused 'cannot write /dev/full' --image /dev/full -n 'BEGIN { exit(0); }'
[ -c /dev/full ] || fail "/dev/full is gone"
refused 'cannot open' --image "$tmp/no/folder" -n 'BEGIN { exit(0); }'
