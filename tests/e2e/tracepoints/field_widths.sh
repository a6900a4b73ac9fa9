#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf gcc
# where: both
# truth: tracepoint fields, every type and size of this kernel | bytes and sign of what is loaded and of what is recorded | the format of the event
# truth: tracepoint fields, int and short | negative values printed, compared, summed, as a key, assigned | the program's own signals, /proc/self/oom_score_adj
#
# Fields of tracepoints are loaded with the width and sign that the kernel's format says: one field of each type, size and
# sign that there is, also of types that only a module declares. Negative ones are negative in each use.
. "$(dirname "$0")/../lib.sh"
events=/sys/kernel/tracing/events
[ -r $events/sched/sched_switch/format ] || skip 'this kernel has no event formats'

# The guests' kernels have file systems in modules; where compiling takes minutes, few of their types are enough.
most=1000
if [ -n "$DTX_GUEST" ]; then modprobe -qa ext4 xfs; most=20; fi
cut -d ' ' -f 1 /proc/modules >"$tmp/modules" 2>/dev/null

# GROUP EVENT FIELD OFFSET SIZE SIGNED, each event once.
grep -H field: $events/*/*/format | grep -vE '/(syscalls|ftrace)/|field:[^;]*[*]|common_|\]|__(data|rel)_loc' |
	sed -E "s|$events/([^/]*)/([^/]*)/format:\tfield:(.*) ([A-Za-z0-9_]+);\toffset:([0-9]+);\tsize:([0-9]+);\tsigned:([01]);|\1 \2 \4 \5 \6 \7 \3|" |
	awk -v most=$most -v list="$tmp/modules" 'BEGIN { while ((getline name <list) > 0) module[name] = 1 }
	($5 == 1 || $5 == 2 || $5 == 4 || $5 == 8) && (!($1 in module) || n[$1] < most) {
		type = $5 $6
		for (i = 7; i <= NF; i++) type = type " " $i
		if (!(type in seen) && !(($1, $2) in used)) { seen[type] = used[$1, $2] = 1; n[$1]++; print }
	}' >"$tmp/fields"
[ "$(wc -l <"$tmp/fields")" -ge 40 ] || fail "few kinds of fields: $(wc -l <"$tmp/fields")"

awk '{
	x = "args." $3
	print "tracepoint:" $1 "::" $2 " { @[1] = sum(" ($5 == 8 ? "(uint64_t)" : "") x "); trace(" x "); }"
}' "$tmp/fields" >"$tmp/fields.d"

# The n-th program: its first load is the field's, and shifts take its sign.
awk '{ print NR - 1, $4, $5, $5 < 8 ? $6 : "any" }' "$tmp/fields" >"$tmp/wanted"
dtx -S bpf -s "$tmp/fields.d"
awk '
	function end(sign) { if (loaded == 1) { print n, off, size, size < 8 ? sign : "any"; loaded = 2 } }
	/^dtx_prog_[0-9]+:/ { n = substr($1, 10) + 0; loaded = 0 }
	/APP/ { next }
	loaded == 1 && /<<= / { next }
	loaded == 1 { end(/ s>>= / ? 1 : 0) }
	!loaded && / = \*\(u(8|16|32|64) \*\)\(r6 \+ [0-9]+\)/ {
		size = $3; gsub(/[^0-9]/, "", size); size /= 8
		off = $NF + 0; loaded = 1
	}' "$tmp/out" >"$tmp/loads"
diff "$tmp/wanted" "$tmp/loads" >"$tmp/diff" || fail "what the formats say (<), what is loaded (>): program, offset, bytes, sign: $(cat "$tmp/diff")
of $(cat -n "$tmp/fields")"

# The record: what is printed. Pointers are recorded as such.
awk '{ print NR - 1, $5, $6 ? "signed" : "unsigned" }' "$tmp/fields" >"$tmp/wanted"
dtx -S plan -s "$tmp/fields.d"
awk '/^site / { n = $2 + 0 } / int (un)?signed / && !/^aggregation/ { if (!(n in did)) print n, $2, $4; did[n] = 1 }' "$tmp/out" >"$tmp/recorded"
grep -E "^($(cut -d' ' -f1 "$tmp/recorded" | paste -sd '|')) " "$tmp/wanted" | diff - "$tmp/recorded" >"$tmp/diff" || fail "what the formats say (<), what is recorded (>): $(cat "$tmp/diff")
of $(cat -n "$tmp/fields")"

[ "$(wc -l <"$tmp/recorded")" -ge 40 ] || fail 'few are recorded'

# Negative: SI_TKILL is -6, and a score of -300 is kept as short.
cat >"$tmp/negative.d" <<'DONE'
tracepoint:signal::signal_generate /args.code < 0 && args.code == -6 && pid == $target/ {
	printf("code %d %d %d\n", args.code, (args.code ? args.code : 0) == -6, (self->c = args.code) == -6);
	@min["code"] = min(args.code); @sum["code"] = sum(args.code); @key[args.code] = count();
}
tracepoint:task::task_rename /args.oom_score_adj < -299 && pid == $target/ {
	printf("score %d %d %d\n", args.oom_score_adj, (args.oom_score_adj ? args.oom_score_adj : 0) == -300, (self->s = args.oom_score_adj) == -300);
	@min["score"] = min(args.oom_score_adj); @sum["score"] = sum(args.oom_score_adj);
}
END { printa("%s min %@d\n", @min); printa("%s sum %@d\n", @sum); printa("key %d\n", @key); }
DONE
gcc -x c -o "$tmp/negative" - <<'END' || fail 'the program does not compile'
#include <signal.h>
#include <sys/prctl.h>
int main(void)
{
	prctl(PR_SET_NAME, "other");
	signal(SIGUSR1, SIG_IGN);
	return raise(SIGUSR1);
}
END
score='score -300 1 1
score min -300
score sum -300'
echo -300 2>/dev/null >/proc/$$/oom_score_adj || score=       # a container may not
dtx -qs "$tmp/negative.d" -c "$tmp/negative"
same "code -6 1 1
code min -6
code sum -6
key -6${score:+
$score}" "$(grep . "$tmp/out" | sort -u)" 'negative fields'
