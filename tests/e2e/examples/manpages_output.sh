#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes
# where: native
# timeout: 60
#
# What the man pages show below a command is what the command prints.
. "$(dirname "$0")/../lib.sh"

# A line of four blanks and "dtx" is a command; the lines of four blanks after it, up to the next command or text, are its output.
for page in docs/man/*.md; do
	awk 'function done() { if (command != "" && output ~ /[^\n]/) printf "```sh\n%s\n```\n```output\n%s```\n", command, output; command = output = "" }
		/^    dtx(-run)? /  { done(); command = substr($0, 5); next }
		/^    / && command  { output = output substr($0, 5) "\n"; next }
		!/^$/               { done() }
		END                 { done() }' "$page" >>"$tmp/page"
done
n=$(grep -c '^```output' "$tmp/page")
[ "$n" -ge 18 ] || fail "only $n commands with output"
"$DTX" --image /tmp/ran.img -qn 'BEGIN { printf("ran\n"); exit(0); }'
tests/guide "$tmp/page" || fail 'the man pages show something else'
