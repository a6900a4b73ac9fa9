#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A function that the program takes from a library: the help says from which one, also if it is called without the procedure
# linkage table.
# needs: uprobes gcc
# timeout: 120
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/shop.c" <<'C'
#include <math.h>
#include <stdio.h>
int main(int argc, char **argv) { printf("%f\n", cos(argc)); return 0; }
C
for options in -fplt -fno-plt '-fno-plt -Wl,-z,now'; do
	# shellcheck disable=SC2086 # options
	gcc -fno-builtin $options -o "$tmp/shop" "$tmp/shop.c" -lm || fail gcc
	for p in "uprobe:$tmp/shop:" 'pid$target:a.out:'; do
		for want in printf:libc.so.6 cos:libm.so.6; do
			"$DTX" -qn "$p${want%:*}:entry { }" -c "$tmp/shop" 2>"$tmp/err" && fail "$options: ${want%:*} is not of the program"
			grep -qF "it is imported: '${want%:*}' is in ${want#*:}, write uprobe:${want#*:}:${want%:*}" "$tmp/err" || fail "$options, $p: $(cat "$tmp/err")"
		done
	done
	"$DTX" -e -n "uprobe:$tmp/shop:tan:entry { }" 2>"$tmp/err" && fail "tan is not there at all"
	grep -q imported "$tmp/err" && fail "tan: $(cat "$tmp/err")"
	"$DTX" -e -n "uprobe:$tmp/shop::1ab { }" 2>"$tmp/err" && fail "no function is named"
	grep -q imported "$tmp/err" && fail "no function: $(cat "$tmp/err")"
done
exit 0
