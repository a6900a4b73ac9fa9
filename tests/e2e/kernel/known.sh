#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# module: known
# timeout: 40
# truth: lockstat:::adaptive-acquire, adaptive-release | how often a mutex is taken, and released | the module that does it
# truth: lockstat:::adaptive-acquire-error | how often a signal ends the wait for a mutex, and the error | the module that does it
# truth: lockstat:::adaptive-spin | threads that spin for a mutex and get it; how long at most | the module that does it, its clock
# truth: lockstat:::rw-spin | readers and writers that spin for a lock, which; how long at most | the module that does it, its clock
# truth: lockstat:::spin-spin | threads that wait in the queue of a spin lock; how long at most | the module that does it, on three CPUs as on bare metal (by hand: tests/vm/run -b)
# truth: sysinfo:::rw_rdfails, rw_wrfails | readers and writers that find a lock taken | the module that does it
# truth: sysinfo:::modload, modunload | modules loaded and unloaded | the module
# truth: fbt, a parameter of 128 bits | the parameters before and behind it; itself is not given | the module's own calls
# truth: fbt, members of all kinds of a module's struct | bit-fields across words, anonymous unions, members behind narrower ones and behind pointers, pointers to functions and to arrays, elements in the padding at its end | the module's own values
# truth: tracepoint of a module, fields of its own types | a struct of a name that the kernel has for another one, signed, enumerated, arrays | the module's own values
# truth: per-CPU variable of a module | the element of this CPU | the module's own values
#
# A module of known deeds (tests/vm/known/dtx_known.c) against what is told of them.
. "$(dirname "$0")/../lib.sh"
known
if grep -q '^dtx_known ' /proc/modules; then rmmod dtx_known || fail 'the module stays'; fi
queued() { [ "$(nproc)" -ge 3 ] && ! grep -qw hypervisor /proc/cpuinfo; }

dtx -qn 'sysinfo:::modload, sysinfo:::modunload { @[probename] = sum(arg0); } END { printa("%s %@d\n", @); }' -c "sh -c 'insmod $known; rmmod dtx_known; insmod $known'"
same 'modload 2
modunload 1' "$(grep mod "$tmp/out" | sort)" 'modules'
trap 'rm -rf "$tmp"; until_true 20 rmmod dtx_known 2>/dev/null' EXIT

# A number of 128 bits is in two registers: with it, or behind it, nothing false is told. Newer kernels have no types of such functions.
wide=fbt:dtx_known:known_wide
if "$DTX" -en "$wide:entry { trace(args.after); }" >/dev/null 2>"$tmp/err"; then
	dtx -qn "$wide:entry { printf(\"%d %d\n\", args.before, args.after); } $wide:return { printf(\"= %d\n\", (int)retval); }" \
		-c "sh -c 'echo call 3 >/proc/dtx_known'"
	same '1 -1
= 7
2 -2
= 7
3 -3
= 7' "$(grep . "$tmp/out")" "around a parameter of 128 bits: $(cat "$tmp/err")"
	for use in 'printf("%d\n", args.wide)' 'self->wide = args.wide' '@ = sum(args.wide)' 'trace(args[1])'; do
		"$DTX" -en "$wide:entry { $use; }" 2>"$tmp/err" && fail "$use is taken"
		grep -qE 'more than one register|128' "$tmp/err" || fail "$use: $(cat "$tmp/err")"
	done
else grep -q 'has no typed arguments' "$tmp/err" || fail "$(cat "$tmp/err")"; fi

cat >"$tmp/parts.d" <<'END'
#pragma D option quiet
fbt:dtx_known:known_parts:entry {
	this->p = args.p;
	this->i = 1;
	printf("%d %a %d %d\n", *this->p->cv, (uintptr_t)this->p->fn, (*this->p->rows)[1], (*args.p->rows)[3]);
	printf("%d %d %d %d %d\n", args.p->arr[1].k, args.p->arr[1].in[1].deep, args.p->whole, args.p->lo, args.p->hi);
	printf("%d %d %x %d %x %d %d %d\n", args.b->a, args.b->b, args.b->c, args.b->d, args.b->e, args.b->f, args.b->g,
	    args.p->bits.b < 0 && args.p->bits.d < 0 && args.p->bits.g == -3);
	printf("%d %d %d %d\n", args.p->last[0].x, args.p->last[0].y, args.p->last[1].y, args.p->last[this->i].x);
	this->b = &args.p->behind;
	printf("%d %d %d %d %d %d\n", args.p->behind.low, args.p->behind.high, args.p->behind.all, args.p->behind.wide,
	    args.p->behind.before, args.p->behind.rest);
	printf("%d %d %d %d\n", args.p->behind.at->y, args.p->behind.w->y, args.p->behind.number == this->b->number,
	    args.p->behind.half == (int)this->b->number);
	printf("%d %d\n", args.p->behind.number + 4 - (int64_t)&args.p->last[1], args.p->behind.address - args.p->behind.number);
	printf("%d %d %d\n", args.c, args.c < 0, dtx_known`known_by_cpu[2] + 50 + cpu);
}
fbt:dtx_known:known_parts:return { printf("= %d %d\n", retval, retval == -3); }
tracepoint:dtx_known:known_odd {
	printf("%d %d %d %d\n", args.w.x, args.w.y, args.at->x, args.at->y);
	printf("%d %d %d %d %d [%s]\n", args.s, args.color, args.color < 0, args.wide[0], args.wide[1], args.text);
}
END
dtx -s "$tmp/parts.d" -c "sh -c 'echo parts 1 >/proc/dtx_known'"
same '-77 dtx_known`known_twice -2 -4
-9 -1234 -2 65534 65535
5 -12345 7ffffffe -4000000000 7ffffffffffffff1 1 -3 1
11 -11 -12 12
65533 65535 -3 -3 200 -70000
-12 -12 1 1
4 0
-3 1 0
= -3 1
12 -12 12 -12
-100 -3 1 -5 6 [50 %s]' "$(grep . "$tmp/out")" "members: $(cat "$tmp/err")"

address() { awk -v name="$1" '$3 == name { print "0x" $1 }' /proc/kallsyms; }
mutex=$(address known_mutex) rw=$(address known_rw) spin=$(address known_spin)
cat >"$tmp/locks.d" <<END
#pragma D option quiet
int part;
syscall::kill:entry /(int)arg0 >= 2000000000/ { part = (int)arg0 - 2000000000; }
lockstat:::adaptive-acquire, lockstat:::adaptive-release /part == 1 && (uintptr_t)args[0] == $mutex/ { @["dtx", part, probename] = count(); }
lockstat:::adaptive-acquire-error /part == 2 && (uintptr_t)args[0] == $mutex/ { @errors["dtx", part, probename] = sum(args[1]); }
END
cat >"$tmp/work" <<'END'
for step in 'mutex 5' 'signal 3' 'spun-mutex 4' 'spun-read 4' 'spun-write 4'; do
	n=$((n + 1))
	kill -0 $((2000000000 + n)) 2>/dev/null
	echo "$step" >/proc/dtx_known
	kill -0 2000000000 2>/dev/null
	echo "own $n $(cat /proc/dtx_known)"
done
exit 0
END
want='dtx 1 adaptive-acquire 5
dtx 1 adaptive-release 5
dtx 2 adaptive-acquire-error 12'
matches 'lockstat:::rw-spin' && {
	cat >>"$tmp/locks.d" <<-END
		lockstat:::adaptive-spin, lockstat:::adaptive-block /part == 3 && (uintptr_t)args[0] == $mutex/ { @[pid == \$target ? "dtx" : "other", part, "mutex"] = count(); @ns[part] = sum(args[1]); }
		lockstat:::adaptive-spin /part == 3 && (uintptr_t)args[0] == $mutex/ { spun++; }
		lockstat:::rw-spin /(uintptr_t)args[0] == $rw/ { @["dtx", part, args[2] ? "reader" : "writer"] = count(); @ns[part] = sum(args[1]); }
		lockstat:::spin-spin /(uintptr_t)args[0] == $spin/ { @["dtx", part, "queued"] = count(); @ns[part] = sum(args[1]); }
		sysinfo:::rw_rdfails, sysinfo:::rw_wrfails /pid == \$target && (part == 4 || part == 5)/ { @fails[probename] = sum(arg0); }
		END { printf("spun %d\n", spun > 0); printa("ns %d %@d\n", @ns); printa("fails %s %@d\n", @fails); }
	END
	want+='
dtx 3 mutex 4
dtx 4 reader 4
dtx 5 writer 4'
	if queued; then want+=$'\ndtx 6 queued 3'; fi
}
echo 'END { printa("%s %d %s %@d\n", @); printa("%s %d %s %@d\n", @errors); }' >>"$tmp/locks.d"
if queued; then sed -i "s/ 'spun-write 4'/& 'spun-spin 3'/" "$tmp/work"; fi
dtx -s "$tmp/locks.d" -c "taskset -c 0 bash $tmp/work"
same "$want" "$(grep ^dtx "$tmp/out" | sort)" "locks: $(cat "$tmp/out" "$tmp/err")"
[[ $want = *mutex* ]] || exit 0
grep -q '^spun 1' "$tmp/out" || fail "no thread has spun for a mutex: $(cat "$tmp/out")"
awk '$1 == "own" { own[$2] = $3 } $1 == "ns" { ns[$2] = $3 } END { for (p in ns) if (ns[p] <= 0 || ns[p] > own[p]) bad = 1; exit bad }' "$tmp/out" ||
	fail "times: $(cat "$tmp/out")"
for name in rw_rdfails rw_wrfails; do
	[ "$(awk -v n=$name '$1 == "fails" && $2 == n { print $3 }' "$tmp/out")" -ge 4 ] || fail "$name: $(cat "$tmp/out")"
done
