# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# What the scripts here share. Sourced: . "$(dirname "$0")/../lib.sh"
set -u
t=$DTX_TRIGGERS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "$*" >&2; exit 1; }
skip() { echo "$*"; exit 77; }
# The kernel's name for the function of a system call; registers of arguments 1 to 3, a result, and of the program; objdump's name;
# compiler options for code whose returns and jumps are guarded, for code whose are not, and for jumps without a guard alone; for
# returns by a jump.
case $(uname -m) in
aarch64) sys=__arm64_sys_ R1=x0 R2=x1 R3=x2 RESULT=x0 U1=R_X0 U3=R_X2 UPC=R_PC MACHINE=aarch64
	GUARDED=-mbranch-protection=standard UNGUARDED=-mbranch-protection=none PLAIN_JUMPS= THUNKS= ;;
*)       sys=__x64_sys_ R1=di R2=si R3=dx RESULT=ax U1=R_RDI U3=R_RDX UPC=R_RIP MACHINE=i386:x86-64
	GUARDED=-fcf-protection=full UNGUARDED=-fcf-protection=none PLAIN_JUMPS=-mindirect-branch=keep
         THUNKS=-mfunction-return=thunk ;;
esac
plain() { [ -z "${DTX_SLOW:-}" ] || skip "$1"; }         # not under a sanitizer or valgrind, because …

# dtx ARG…: run it; output in $tmp/out, standard error in $tmp/err; its failure is the test's.
dtx() {
	"$DTX" "$@" >"$tmp/out" 2>"$tmp/err" && return
	local status=$?
	cat "$tmp/out" "$tmp/err" >&2
	fail "dtx ended with status $status"
}

# refused TEXT ARG…: dtx ARG… does not run: it says TEXT on standard error, and nothing else on its output. Its status is in $status.
refused() {
	local text=$1
	shift
	status=0
	timeout 60 "$DTX" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	[ $status != 0 ] || fail "accepted: $*: $(cat "$tmp/out")"
	[ $status -lt 124 ] || fail "$*: status $status: $(cat "$tmp/err")"
	[ ! -s "$tmp/out" ] || fail "$*: it ran: $(cat "$tmp/out")"
	grep -qF -- "$text" "$tmp/err" || fail "$*: not told '$text', but: $(cat "$tmp/err")"
}

# until_true SECONDS COMMAND…: until it succeeds; false if it does not in that time, which is six times as long in a guest. All that
# tests wait for is waited for so: tests/lint.
until_true() {
	local until_when=$((SECONDS + 1 + $1 * ${DTX_GUEST:+6 *} ${DTX_SLOW:-1}))
	shift
	until "$@"; do
		[ $SECONDS -lt $until_when ] || return 1
		sleep 0.05
	done
}

# awaits COMMAND…: until it succeeds; what does not come in 20 seconds fails the test.
awaits() { until_true 20 "$@" || fail "not in time: $*: $(cat "$tmp/out" "$tmp/err" 2>/dev/null)"; }

# ended PID: this process is gone.
ended() { ! kill -0 "$1" 2>/dev/null; }

# executes PID FILE: this process has begun to run this program.
executes() { [ "$(readlink "/proc/$1/exe")" = "$2" ]; }

# blocked PID: this process waits for the reader of a pipe that is full.
blocked() { grep -q pipe_write "/proc/$1/wchan"; }

# begun [WORD]: dtx, in the background with its output in $tmp/out, has printed the word ("ready"). One of several runs removes the
# file first: the shell empties it only when the process is there.
begun() { awaits grep -qs "${1:-ready}" "$tmp/out"; }

# matches DESCRIPTION: is there such a probe?
matches() { "$DTX" -ln "$1" 2>/dev/null | sed 1d | grep -q .; }

# value KEY: the number of an aggregation's row with this one string key, in $tmp/out; 0 when there is none.
value() { awk -v key="$1" '$1 == key && NF == 2 { n = $2 } END { print n + 0 }' "$tmp/out"; }

# skipped: the firings that the kernel skipped, as told in $tmp/err.
skipped() { awk '/^dtx: [0-9]+ firings? skipped by the kernel/ { n += $2 } END { print n + 0 }' "$tmp/err"; }

# accounts N OF: N, or less by no more than the kernel says it skipped, which it does for all processes.
accounts() { [ "$1" -le "$2" ] && [ $(($1 + $(skipped))) -ge "$2" ]; }

# lost_only REGEX STATUS: a run with -x strict told losses of this kind only, in $tmp/err, and its status says whether any.
lost_only() {
	if grep -vE "$1" "$tmp/err"; then fail 'something else is lost, too'; fi
	[ "$2" = "$([ -s "$tmp/err" ] && echo 3 || echo 0)" ] || fail "status $2: $(cat "$tmp/out" "$tmp/err")"
}

# preempts: does this kernel take the CPU from a thread that runs a program?
preempts() {
	local debug=/sys/kernel/debug
	[ -e $debug/sched ] || mount -t debugfs debugfs $debug 2>/dev/null
	if [ -e $debug/sched/preempt ]; then grep -qE '\((full|lazy)\)' $debug/sched/preempt
	else uname -v | grep -qE ' PREEMPT( |_RT)'; fi
}

# histogram KEY: the rows below the key, as "LABEL COUNT", in $tmp/out, without the empty rows at the ends.
histogram() {
	awk -v key="$1" '
		NF == 1 && $1 == key { on = 1; next }
		on && /Distribution/ { in_rows = 1; next }
		in_rows && !/\|/ { exit }
		in_rows { print $1, $NF }' "$tmp/out"
}

same() { diff -u --label expected --label "what came" <(printf '%s\n' "$1") <(printf '%s\n' "$2") >&2 || fail "$3"; }

# sealed IMAGE: it was changed, and gets the hash that belongs to what it is now.
sealed() {
	python3 - "$1" <<-'END'
	import sys
	data, h = open(sys.argv[1], 'rb').read()[:-16], 0xcbf29ce484222325
	for byte in data:
	    h = (h ^ byte) * 0x100000001b3 & (1 << 64) - 1
	open(sys.argv[1], 'wb').write(data + b'DTXHASH1' + h.to_bytes(8, 'little'))
	END
}

# module_file NAME: its file, by depmod's list: a guest walks the folders for seconds.
module_file() {
	local folder file
	folder=/lib/modules/$(uname -r)
	file=$(grep -om1 "^[^:]*/$1\.ko[^:]*" "$folder/modules.dep" 2>/dev/null) && echo "$folder/$file"
}

# modules NAME…: in a guest, load these, which other kernels have built in.
modules() {
	local name file
	[ -n "${DTX_GUEST:-}" ] || return 0
	for name; do
		file=$(module_file "$name") && insmod "$file" 2>/dev/null || :
	done
}

# known: the file of the module tests/vm/known, made for this guest's kernel, in $known.
known() {
	known=$PWD/build/tests/known/$(uname -r | cut -d. -f1,2)/dtx_known.ko
	[ -n "${DTX_GUEST:-}" ] && [ -e "$known" ] || skip 'needs a module made for this kernel'
}

# harmless NAME FILE: nothing in the file acts on a terminal; it is UTF-8, and each line is dtx's.
harmless() {
	python3 - "$@" <<'END' || fail "$1: $(head -c 3000 "$2" | cat -v)"
import re, sys
b, bad = open(sys.argv[2], 'rb').read(), []
t = b.decode('utf-8', 'surrogateescape')
if not t.strip(): bad.append('nothing was printed')
if re.search('[\udc80-\udcff]', t): bad.append('bytes that are no UTF-8')
if re.search('[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]', t): bad.append('a control character')
if re.search('\r(?!\r*\n)', t): bad.append('a carriage return')
if re.search('^\\s*FAKE', t, re.M): bad.append('a false line')
if max(map(len, t.split('\n'))) > 40000: bad.append('a name without end')
print(sys.argv[1], *bad)
sys.exit(bool(bad))
END
}

# screen NAME ARGUMENT…: what dtx prints on a terminal is in $tmp/screen, and harmless.
screen() {
	local name=$1; shift
	printf '%q ' "$DTX" "$@" >"$tmp/sh"
	NO_COLOR=1 timeout $((30${DTX_GUEST:+ * 4})) script -qec "bash $tmp/sh" "$tmp/typescript" </dev/null >/dev/null 2>&1
	sed '1d;$d' "$tmp/typescript" >"$tmp/screen"
	harmless "$name" "$tmp/screen"
}
