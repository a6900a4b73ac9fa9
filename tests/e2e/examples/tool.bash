# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# What the tests of the tools share. Sourced: . "$(dirname "$0")/tool.bash"
#
#     load <<'END'                    a known load: a bash script
#     commands
#     END
#     tool NAME ARG…                  examples/NAME.d while the load runs; the output is in $tmp/out
#     run='COMMAND' tool NAME ARG…    while a command runs: probes of user functions are in it alone
#     same 'EXPECTED' "$(rows AWK)"
. "$(dirname "$0")/../lib.sh"

# own PROGRAM NAME: a program under a name of its own, so that nothing else has it: $tmp/NAME.
own() { cp "$(type -P "$1" || echo "$t/$1")" "$tmp/$2"; }

load() { { echo "t=$(readlink -f "$t") tmp=$tmp; cd $tmp"; cat; } >"$tmp/load"; }

# A tool says nothing on standard error, but what the kernel skipped or cannot probe, or what the load says.
tool() {
	"$DTX" -qs "examples/$1.d" "${@:2}" -c "${run:-bash $tmp/load}" >"$tmp/out" 2>"$tmp/err" || fail "status $?: $(cat "$tmp"/{out,err})"
	sed -i '${/^$/d}' "$tmp/out"     # the empty line at the end of a run
	! grep '^dtx: ' "$tmp/err" | grep -vE 'skipped by the kernel|warning: not probed|are being removed by the kernel' || fail 'messages of dtx'
}

# rows AWK: what an awk program prints for the output.
rows() { awk "$1" "$tmp/out"; }

# heading TEXT: the first line, with blanks as one.
heading() { same "$1" "$(head -n 1 "$tmp/out" | tr -s ' ' | sed 's/^ //')" 'another heading'; }
