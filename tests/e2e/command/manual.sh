#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: mandoc
# where: native
# timeout: 90
#
# The man pages are correct for mandoc; dtx --help TOPIC knows every page, and every row of the tables.
. "$(dirname "$0")/../lib.sh"

man=$(dirname "$DTX")/man
pages=("$man"/*.[137])
[ ${#pages[@]} -gt 35 ] || fail "${#pages[@]} man pages"
mandoc -Tlint "${pages[@]}" >"$tmp/lint" || { cat "$tmp/lint" >&2; fail "mandoc complains"; }
for page in docs/man/*.md; do [ -f "$man/$(basename "$page" .md)" ] || fail "no man page of $page"; done
for tool in examples/*.d; do [ -f "$man/$(basename "$tool" .d)-dtx.1" ] || fail "no man page of $tool"; done
# Each page has its lists.
for page in docs/man/*.md; do
	name=$(basename "$page" .md)
	"$DTX" --help "${name%.?}" >"$tmp/page" 2>&1 || fail "--help $name"
	grep -q '<!--' "$tmp/page" && fail "$name has a list that does not exist"
	[ "$(wc -l <"$tmp/page")" -gt 9 ] || fail "$name is too short: $(cat "$tmp/page")"
	awk 'NR > 1 && length($0) > 80 && !/^        /' "$tmp/page" | grep . && fail "$name is too wide"
done

# topic TEXT REGEX: dtx --help TEXT says it.
topic() {
	# shellcheck disable=SC2086 # "-x bufsize" is two words
	"$DTX" --help $1 >"$tmp/out" 2>&1 || fail "--help $1: $(cat "$tmp/out")"
	grep -qE "$2" "$tmp/out" || fail "--help $1 says: $(cat "$tmp/out")"
}
topic quantize '@\[keys\] = quantize\(scalar, \[scalar\]\)'
topic io 'wait-start'
topic io 'b_bcount;'
topic io:::start 'given to a block device'
topic '-x bufsize' 'Default: *4m|4m\.'
topic bufsize 'per CPU'
topic D_PROTO_LEN 'Wrong:'
topic predicates 'A predicate is an expression'
topic %Y 'Local time'
topic strlen 'strlen\('
topic execname 'Name of the program'
topic language 'CLAUSES'
topic formats 'csv +Tables:'
grep -E '^ +(stacks|record|live|trace|serve)  ' "$tmp/out" && fail "an option of its own is a value of --format"
# What people call it; a heading that many pages have is that of dtx(1).
topic probes '^dtx-providers\(7\)'
topic built-ins 'string execname$'
topic functions 'strlen\('
topic tags '^dtx-errors\(7\)'
topic predicate 'A predicate is an expression'
topic examples 'Count system calls by program'
topic struct '^ +typedef, struct, union, enum'
grep -q task_struct "$tmp/out" && fail "--help struct has built-ins: $(cat "$tmp/out")"
topic self 'A variable of the thread'
topic pragma 'Sets an option: dtx-options'
topic topics 'D_PROTO_LEN'
same 'Pages Variables Options Options Tags' "$(sed -nE 's/^  ([A-Z][a-z]+).*/\1/p' "$tmp/out" | paste -sd' ')" 'what --help topics begins with'
head -8 "$tmp/out" | grep -qw language || fail "the pages are not first: $(head -8 "$tmp/out")"
[ "$(sed '/^  Tags/,$d' "$tmp/out" | grep -c 'D_')" = 0 ] || fail "tags before the topics: $(cat "$tmp/out")"
"$DTX" --help D_PROT >"$tmp/out" 2>&1
grep -q "did you mean 'D_PROTO_" "$tmp/out" || fail "--help D_PROT says: $(cat "$tmp/out")"
"$DTX" -x help >"$tmp/out" && grep -qE '^ +aggsortkey ' "$tmp/out" || fail "-x help"
"$DTX" --help quantise >"$tmp/out" 2>&1
same "2 dtx: the manual has no topic 'quantise'; did you mean 'quantize'?" "$? $(cat "$tmp/out")" "a topic that is not there"
[ -n "$("$DTX" --help | grep -- '--help TOPIC')" ] || fail "--help does not name --help TOPIC"

# Every row of the tables is a topic.
names() { sed -nE "s/^$2\(([a-z][a-z0-9_]*),.*/\1/p" "include/dtx/tables/$1.def"; }
n=0
for name in $(names options OPTION; names aggs AGG; names builtins BUILTIN; names ported BUILTIN); do
	"$DTX" --help "$name" >"$tmp/out" 2>&1 || fail "--help $name: $(cat "$tmp/out")"
	[ "$(wc -l <"$tmp/out")" -ge 3 ] || fail "--help $name says little: $(cat "$tmp/out")"
	n=$((n + 1))
done
[ $n -gt 250 ] || fail "only $n rows"

# Each aggregating function has a sample, and its output is what it prints.  Each provider and tool has a page.
for f in $(sed -n 's/^AGG(\([a-z]*\),.*/\1/p' include/dtx/tables/aggs.def); do
	"$DTX" --help "$f" >"$tmp/page" || fail "no help of $f"
	program=$(sed -n '/^ *Example:/,/^ *It prints:/p' "$tmp/page" | grep '@' | sed 's/^ *//')
	[ "$program" ] || fail "$f has no sample"
	sed '1,/^ *It prints:/d' "$tmp/page" | grep . | sed 's/^ *//; s/ *$//' >"$tmp/want"
	"$DTX" -qn "BEGIN { $program exit(0); }" | grep . | sed 's/^ *//; s/ *$//' | diff "$tmp/want" - || fail "$f: the sample prints something else"
done
for topic in $("$DTX" --doctor | sed -n '/^dtrace/,$p' | awk 'NF { print $1 }') opensnoop runqlat memleak; do
	"$DTX" --help "$topic" >"$tmp/page" 2>&1 || fail "no help: $(cat "$tmp/page")"
done

# Each option of the command by its name.
for word in $("$DTX" --help | sed -nE 's/^ +(-. )?--([a-z-]+) .*/\2/p'); do
	"$DTX" --help "$word" >"$tmp/page" 2>&1 || fail "no help: $(cat "$tmp/page")"
done
