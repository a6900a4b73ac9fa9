#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# The command of -c has the words that a shell would give it: quotes and backslashes, nothing else.
. "$(dirname "$0")/../lib.sh"

same "a b" "$("$DTX" -q -c 'sh -c "echo a b"' -n 'END { }' | head -1)" "words in quotes"
same '<a b><c"d><><$HOME><*><xyz w>' \
	"$("$DTX" -q -c "printf <%s> a\\ b \"c\\\"d\" '' \$HOME * x\"y\"'z w'" -n 'END { }' | head -1)" "words"
for command in 'echo "abc' "echo 'x" '"'; do
	"$DTX" -q -c "$command" -n 'END { }' 2>"$tmp/err" && fail "taken: $command"
	grep -qF "a quote in the command of -c is not closed" "$tmp/err" || fail "$(cat "$tmp/err")"
done
"$DTX" -q -c ' ' -n 'END { }' 2>"$tmp/err" && fail "taken: no command"
grep -qF -- "-c needs a command" "$tmp/err" || fail "$(cat "$tmp/err")"

# Of two the first would be lost.
"$DTX" --stacks "folded=$tmp/f" --stacks "svg=$tmp/g" -n 'BEGIN { exit(0); }' 2>"$tmp/err" && fail "two --stacks are taken"
grep -q '^dtx: --stacks is given twice' "$tmp/err" || fail "$(cat "$tmp/err")"
# Options of an output that is not wanted.
refused '--linger keeps the page of --serve PORT' --linger -n 'BEGIN { exit(0); }'
refused '--diff compares what --stacks KIND writes' --diff "$tmp/f" -n 'BEGIN { exit(0); }'
DTX_OPT_LINGER='' DTX_OPT_DIFF=$tmp/f dtx -qn 'BEGIN { exit(0); }' # for the runs that have such an output
# What an option takes is said when it is not given.
refused 'dtx: --hosts LIST: run the program on these hosts' --hosts
refused 'dtx: -p PID: trace only this process' -n BEGIN -p

# Providers that dtx -l names have a page.
for name in rawtp sdt hardware software interval uprobe uretprobe usdt rawfbt kprobe kretprobe fentry fexit; do
	"$DTX" --help "$name" >"$tmp/out" 2>&1 && grep -q PROBES "$tmp/out" || fail "--help $name: $(head -n 1 "$tmp/out")"
done
