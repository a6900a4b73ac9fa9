#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: printa.key32 printa.key64
#
# A key is the same number in each output: of every size and sign, at both ends of its type, computed and from a cast.
# truth: keys of integers, width x sign, text | the least and the largest value of each type | the type's own bounds (C)
# truth: keys of integers, width x sign, csv, json, printa(), agghist, time lines | the same number as in text | the type's own bounds (C)
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/types" <<-'END'
	int8_t -128 127
	char -1 5
	uint8_t 0 255
	int16_t -32768 32767
	short -2 300
	uint16_t 0 65535
	int32_t -2147483648 2147483647
	uint32_t 1 4294967295
	int64_t -9223372036854775807 9223372036854775807
	uint64_t 1 18446744073709551615
END
n=0
while read -r type low high; do
	suffix=$([[ $type != uint* ]] || echo ULL)
	for value in "$low" "$high"; do
		n=$((n + 1))
		cast="($type)$value$suffix"
		echo "BEGIN { self->v$n = $cast; @k$n[self->v$n, $cast] = count(); }" >>"$tmp/plain.d"
		echo "END { printa(\"printa %d %d %@d\\n\", @k$n); }" >>"$tmp/printa.d"
		echo "$value $value 1" >>"$tmp/want"
	done
done <"$tmp/types"
echo 'BEGIN { exit(0); }' >>"$tmp/plain.d"
cat "$tmp/plain.d" "$tmp/printa.d" >"$tmp/keys.d"

dtx -qs "$tmp/plain.d"
same "$(cat "$tmp/want")" "$(awk 'NF == 3 { print $1, $2, $3 }' "$tmp/out")" 'text'
dtx -qs "$tmp/keys.d"
same "$(cat "$tmp/want")" "$(sed -n 's/^printa //p' "$tmp/out")" 'printa()'
dtx -x format=csv -qs "$tmp/plain.d"
same "$(cat "$tmp/want")" "$(awk -F, '/^[0-9]/ { print $2, $3, $4 + 0 }' "$tmp/out")" 'csv'
dtx -x format=json -qs "$tmp/plain.d"
same "$(cat "$tmp/want")" \
	"$(sed -nE 's/.*"keys":\{"[^"]*":(-?[0-9]+),"[^"]*":(-?[0-9]+)\},"value":1\}/\1 \2 1/p' "$tmp/out")" 'json'
dtx -x agghist -qs "$tmp/plain.d"
same "$(cat "$tmp/want")" "$(awk '/[|]@/ { print $1, $2, $NF }' "$tmp/out")" 'agghist'
dtx --trace "$tmp/trace" -qs "$tmp/plain.d"
same "$(cat "$tmp/want")" "$(sed -nE 's/.*"args":\{"(-?[0-9]+) (-?[0-9]+)":1\}.*/\1 \2 1/p' "$tmp/trace")" 'the time line'
dtx --perfetto "$tmp/perfetto" -qs "$tmp/plain.d"
while read -r low high n; do grep -qa "@k[0-9]* $low $high" "$tmp/perfetto" || fail "Perfetto: no $low $high"; done <"$tmp/want"

# An address is one everywhere, also one of the kernel.
address='BEGIN { @[(void *)0xffffffff81000000] = count(); exit(0); }'
for how in '' '-x agghist' "--trace $tmp/trace" "--perfetto $tmp/perfetto"; do
	dtx $how -qn "$address"
	case $how in --*) cp "${how#* }" "$tmp/out" ;; esac
	grep -qa '0xffffffff81000000' "$tmp/out" || fail "an address as key, $how: $(cat "$tmp/out")"
done
# A label of pprof has a number of 64 bits with a sign, or a text.
dtx --stacks "pprof=$tmp/pprof" -qn 'BEGIN { @[stack(), (uint64_t)-1] = count(); exit(0); }'
! gzip -dcf "$tmp/pprof" | LC_ALL=C grep -qaP '\x18\xff{9}\x01' || fail 'pprof: a key of 64 bits is -1'
