#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# row: options.stacklines options.ustackinline
#
# Frames with the place in the source, and inlined functions as frames of their own: in text, as data, in a recording and in a profile.
# Two static functions of one name are told apart by their files. Without the options, and without debugging information, nothing changes.
. "$(dirname "$0")/../lib.sh"
DTX=$(readlink -f "$DTX")

cd "$tmp" || fail "no folder"
cat >shop.h <<'END'
static inline __attribute__((always_inline)) int price(int n) {
	return count(n) + 1;
}
END
cat >shop.c <<'END'
__attribute__((noipa)) int count(int n) { return n + 1; }
#include "shop.h"
static inline __attribute__((always_inline)) int both(int n)
{
	int a = price(n);
	return a + 1;
}
__attribute__((noipa)) static int helper(int n) { return both(n) + 1; }
__attribute__((noipa)) int total(int n)
{
	return helper(n) + 1;
}
int other(int n);
int main(void)
{
	return total(2) + other(3) == 77;
}
END
cat >other.c <<'END'
int count(int n);

__attribute__((noipa)) static int helper(int n) { return count(n) + 1; }
__attribute__((noipa)) int other(int n) { return helper(n) + 1; }
END
gcc -O2 -g -o shop shop.c other.c || fail "cannot compile"
# frames: those of $tmp/out in the program, of both stacks, without offsets.
frames() { sed -nE '/`_/d; s/^ +(shop`.*)/\1/; s/\+0x[0-9a-f]+//; /^shop/p' "$tmp/out"; }
probe='pid$target:shop:count:entry'
# stack OPTIONS…: these frames of a run.
stack() {
	dtx "$@" -qn "$probe { ustack(); }" -c ./shop
	frames
}
plain='shop`count
shop`helper
shop`total
shop`main
shop`count
shop`helper
shop`other
shop`main'
same "$plain" "$(stack)" "by default"
same 'shop`count (shop.c:1)
shop`helper (shop.c:8)
shop`total (shop.c:11)
shop`main (shop.c:16)
shop`count (shop.c:1)
shop`helper (other.c:3)
shop`other (other.c:4)
shop`main (shop.c:16)' "$(stack -x stacklines)" "lines"
same 'shop`count
shop`price [inlined]
shop`both [inlined]
shop`helper
shop`total
shop`main
shop`count
shop`helper
shop`other
shop`main' "$(stack -x ustackinline)" "inlined"
both='shop`count (shop.c:1)
shop`price (shop.h:2) [inlined]
shop`both (shop.c:5) [inlined]
shop`helper (shop.c:8)
shop`total (shop.c:11)
shop`main (shop.c:16)
shop`count (shop.c:1)
shop`helper (other.c:3)
shop`other (other.c:4)
shop`main (shop.c:16)'
same "$both" "$(stack -x stacklines -x ustackinline --record "$tmp/rec")" "both"
dtx --replay "$tmp/rec"
same "$both" "$(frames)" "a replay"
same "$(uniq <<<'shop`count (shop.c:1)')" "$(stack -x stacklines -x ustackunwind=off | uniq)" "by addresses of the process"
stack -x stacklines -x ustackinline -x format=json >"$tmp/none"
grep -qF '"text":"shop`price (shop.h:2) [inlined]","symbol":"price","offset":0,"object":"shop","file":"'"$tmp"'/shop.h","line":2,"inlined":true' "$tmp/out" ||
	fail "JSON: $(cat "$tmp/out")"
dtx -q -x stacklines -x ustackinline --stacks pprof="$tmp/pb.gz" -n "$probe { @[ustack()] = count(); }" -c ./shop
zcat "$tmp/pb.gz" | grep -qaF "$tmp/other.c" || fail "the profile has no file"
dtx -q -x ustackinline --stacks folded="$tmp/folded" -n "$probe { @[ustack()] = count(); }" -c ./shop
grep -q 'main;total;helper;both_\[i\];price_\[i\];count 1$' "$tmp/folded" || fail "folded: $(cat "$tmp/folded")"

# Its debug file has the lines; without it there are none.
objcopy --only-keep-debug shop shop.debug && strip -g shop && objcopy --add-gnu-debuglink=shop.debug shop || fail "cannot split"
same "$both" "$(stack -x stacklines -x ustackinline)" "from the debug file"
rm shop.debug
same "$plain" "$(stack -x stacklines -x ustackinline)" "without debugging information"
