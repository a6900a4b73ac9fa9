#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Two static functions of one name are two probes, told apart by their files; a global one goes before them.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/one.c" <<'END'
__attribute__((noipa)) static int helper(int first) { return first + 1; }
__attribute__((noipa)) static int single(int n) { return n + 1; }
int other(int n), third(int n);
int main(void) { return helper(2) + single(1) + other(3) + third(4) == 77; }
END
echo '__attribute__((noipa)) static int helper(int second) { return second + 1; } int other(int n) { return helper(n) + 1; }' >"$tmp/other.c"
echo 'int third(int n) { return n; }' >"$tmp/third.c"
echo '__attribute__((noipa)) int helper(int all) { return all + 1; } int third(int n) { return helper(n) + 1; }' >"$tmp/global.c"
(cd "$tmp" && gcc -g -O2 -o two one.c other.c third.c && gcc -g -O2 -o three one.c other.c global.c) || fail "cannot compile"
# listed DESCRIPTION: its functions and names.
listed() { "$DTX" -ln "$1" 2>/dev/null | awk 'NR > 1 { print $(NF - 1), $NF }' | sort; }
both='one.c`helper entry
other.c`helper entry'
for name in helper 'help*' 'o*.c`helper'; do same "$both" "$(listed "uprobe:$tmp/two:$name:entry")" "$name"; done
same 'other.c`helper return' "$(listed "uprobe:$tmp/two:other.c\`helper:return")" "by its file"
same 'single entry' "$(listed "uprobe:$tmp/two:one.c\`single:entry")" "a single one by its file"
same '' "$(listed "uprobe:$tmp/two:third.c\`helper:entry")" "another file"
same 'helper entry' "$(listed "uprobe:$tmp/three:helper:entry")" "a global one"
same "helper entry
$both" "$(listed "uprobe:$tmp/three:helpe?:entry")" "all"
same 'helper one.c@1
helper other.c@1' "$(listed "uprobe:$tmp/two:helper:@1")" "their lines"

dtx -qn 'pid$target:two:helper:entry { printf("%s %d\n", probefunc, args[0]); } pid$target:two:other.c`helper:entry { printf("by file %d\n", second); }' -c "$tmp/two"
same 'by file 3
one.c`helper 2
other.c`helper 3' "$(grep . "$tmp/out" | sort)" "what they record"
