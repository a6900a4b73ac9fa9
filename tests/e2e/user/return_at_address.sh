#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes readelf
# timeout: 60
#
# uretprobe:PATH:0xADDRESS: where a function begins, with and without symbols; FUNC+0 is FUNC; inside of a function it is refused.
. "$(dirname "$0")/../lib.sh"
object=$t/sleeper
at=$(readelf -Ws "$object" | awk '$8 == "nap" { print $2; exit }')
[ -n "$at" ] || fail "no nap() in $object"
inside=$(printf 0x%x $((0x$at + 4)))

fires() {
	dtx -qn "$1 /pid == \$target/ { printf(\"%s %s %d\n\", probefunc, probename, retval); exit(0); }" -c "$2 7"
	same "$3" "$(head -n 1 "$tmp/out")" "$1"
}

fires "uretprobe:$object:0x$at" "$object" "nap return 0"
fires "uretprobe:$object:nap+0" "$object" "nap return 0"
cp "$object" "$tmp/stripped" && strip "$tmp/stripped"
fires "uretprobe:$tmp/stripped:0x$at" "$tmp/stripped" "- return 0"
refused "is inside of 'nap', which begins at 0x" -en "uretprobe:$object:$inside { }"
refused 'a return probe is set where a function begins' -en "uretprobe:$object:nap+4 { }"
refused 'has no code at 0xdeadbeef' -en "uretprobe:$object:0xdeadbeef { }"
