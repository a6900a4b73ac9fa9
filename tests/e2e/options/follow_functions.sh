#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc
# timeout: 60
#
# uprobe: with -c is in the command alone; with --follow also in what it starts, and in no stranger.
# truth: uprobe: with -c and --follow | entries and returns in what the command starts, none of a stranger | the program's own calls
. "$(dirname "$0")/../lib.sh"

gcc -O1 -x c -o "$tmp/calls" - <<'END' || fail 'gcc'
__attribute__((noinline)) int called(int n) { asm volatile(""); return n + 1; }
int main(void) { int n = 0; while (n < 500) n = called(n); return 0; }
END
# counts WANTED WHAT OPTION…: the firings of the command, of what it starts, and of a stranger that BEGIN starts.
counts() {
	local want=$1 what=$2
	shift 2
	dtx -qw -x aggsortkey "$@" -n "uprobe:$tmp/calls:called:entry, uprobe:$tmp/calls:called:return { @[probename] = count(); }
		BEGIN { system(\"$tmp/calls\"); } END { printa(\"%s %@d\\n\", @); }"
	same "$want" "$(sed '/^$/d' "$tmp/out" | paste -sd ' ')" "$what"
}
counts 'entry 500 return 500' 'the command itself' -c "$tmp/calls"
counts '' 'what the command starts, without --follow' -c "/bin/sh -c '$tmp/calls; $tmp/calls; true'"
counts 'entry 1000 return 1000' 'what the command starts' --follow -c "/bin/sh -c '$tmp/calls; $tmp/calls; true'"
