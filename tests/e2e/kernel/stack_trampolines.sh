#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: fentry
# truth: caller in a function that is called by one with a trampoline | its symbol, and in a predicate | the same caller without trampolines
# truth: stack() in a function that is called by one with a trampoline | frames, text and JSON | the same stack without trampolines
#
# Stacks have no frames of the kernel's trampolines, nor the calls of these: they are of the tracer. The option strict
# keeps fentry and fexit where a stack is taken.
. "$(dirname "$0")/../lib.sh"

# Trampolines come where the functions were that began modules.
modules crc16 mbcache jbd2 ext4 2>/dev/null

opens=do_filp_open
grep -qE ' [tT] do_file_open$' /proc/kallsyms && opens=do_file_open       # Linux 7
own='fbt::'$opens':entry /pid == $target && stringof(args.pathname->name) == "/etc/hostname"/ { stack(); }'
around='fbt::do_sys_openat2:return, fbt::do_sys_openat2:entry { @ = count(); }'
frames() { grep -oE '(vmlinux|bpf)`[a-zA-Z0-9_.]+' "$tmp/out"; }
dtx -qn "$own" -c 'cat /etc/hostname'
plain=$(frames)
grep -q 'vmlinux`do_sys_openat2' <<<"$plain" || fail "no stack: $(cat "$tmp/out" "$tmp/err")"
dtx -qvn "$own $around" -x strict -c 'cat /etc/hostname'
grep -q 'by fexit' "$tmp/err" || skip 'no trampoline is used'
same "$(sed "/$opens/d" <<<"$plain")" "$(frames | sed "/$opens/d")" 'the stack differs'
dtx -qn "$own $around" -x strict -x format=json -c 'cat /etc/hostname'
grep -q do_sys_openat2 "$tmp/out" || fail 'no stack in JSON'
grep -q bpf_trampoline "$tmp/out" && fail "a trampoline is in it: $(cat "$tmp/out")"

# stack(n) has n frames, of which none is a trampoline: those that come after are taken. Of a tracepoint, too.
dtx -qn "${own/stack()/printf(\"three\"); stack(3)}" -c 'cat /etc/hostname'
plain=$(frames)
same 3 "$(wc -l <<<"$plain")" 'frames of stack(3)'
for n in 3 70; do
	dtx -qn "${own/stack()/stack($n)} $around" -x strict -c 'cat /etc/hostname'
	same "$(head -n "$n" <<<"$plain" | sed "/$opens/d")" "$(frames | head -n 3 | sed "/$opens/d")" "stack($n) beside trampolines"
done
scheduled='tracepoint:::sched_switch /pid == $target && stackdepth >= 6/ { stack(6); }'
dtx -qn "$scheduled fbt::__schedule:, fbt::vfs_read:, fbt::schedule: { @ = count(); }" -x strict -c 'sh -c "sleep 0.1; read x </dev/null"'
awk '/^$/ { if (seen++ && n < 6) print n; n = 0 } / .*`/ { n++ }' "$tmp/out" >"$tmp/short"
[ -s "$tmp/short" ] && fail "stacks of a tracepoint are short: $(cat "$tmp/out")"

# caller is the first frame behind the function's own.
who='fbt::'$opens':entry /pid == $target && stringof(args.pathname->name) == "/etc/hostname"/ { sym(caller); }'
dtx -qn "$who" -c 'cat /etc/hostname'
plain=$(frames)
same 'vmlinux`do_sys_openat2' "$plain" 'caller without a trampoline'
dtx -qvn "$who $around" -x strict -c 'cat /etc/hostname'
same "$plain" "$(frames)" 'caller with one'
# The kernel's text ends somewhere else after each boot.
end=$(awk '$3 == "_etext" { print "0x" $1; exit }' /proc/kallsyms)
address='fbt::'$opens':entry /pid == $target && stringof(args.pathname->name) == "/etc/hostname" && caller >= '$end'/ { printf("in a trampoline"); }'
dtx -qn "$address $around" -x strict -c 'cat /etc/hostname'
grep -q "in a trampoline" "$tmp/out" && fail "in a predicate it is one"

# Another tracer's trampoline, which is gone when the stack is printed, is nothing of the module that lies before it.
own=${own/'pid == $target && '/}
ready='BEGIN { printf("ready\n"); }'
"$DTX" -qn "$around $ready" -x strict -o "$tmp/around" & other=$!
"$DTX" -qn "${own/stack()/@[stack()] = count()} $ready" -o "$tmp/late" & late=$!
awaits grep -qs ready "$tmp/around"
awaits grep -qs ready "$tmp/late"
cat /etc/hostname >/dev/null
kill $other
wait $other
kill $late
wait $late
grep -q 'vmlinux`do_sys_openat2' "$tmp/late" || fail "no stack: $(cat "$tmp/late")"
same '' "$(grep -oE '[^ ]+`[^ ]+' "$tmp/late" | grep -v '^vmlinux`')" 'a frame of a module'

# An image is run: nothing has read the kernel's names before the stacks are printed, at the end, when the trampolines are gone.
image="$around $ready ${own/stack()/@seen[stack()] = count()}"
"$DTX" --image "$tmp/image" -x strict -qn "$image" || fail 'no image'
rm -f "$tmp/late"
"$DTX" -r "$tmp/image" -o "$tmp/late" & late=$!
awaits grep -qs ready "$tmp/late"
cat /etc/hostname >/dev/null
kill $late
wait $late
grep -q 'vmlinux`do_sys_openat2' "$tmp/late" || fail "no stack by the image: $(cat "$tmp/late")"
grep -E '^ *(0x|bpf`)' "$tmp/late" && fail "a trampoline is in the stack by an image: $(cat "$tmp/late")"
exit 0
