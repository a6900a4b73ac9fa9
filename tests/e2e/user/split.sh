#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# beside: it compiles and starts programs, and waits for no clock
# timeout: 120
#
# Debugging information in files of its own (gcc -gsplit-dwarf), of DWARF 5 and 4: arguments, types, lines, variables and
# inlined functions are as those of a program that has it in itself. Files that were moved with the program are found, and
# a package of them (.dwp); one that is gone is named.
# attack: a package of split debugging information is cut, or its index has other numbers | its units are read, or a sentence says why not
# truth: split debugging information, moved or in a package | arguments, types, lines, inlined functions | the same program with it in itself
. "$(dirname "$0")/../lib.sh"
cat >"$tmp/shop.c" <<'END'
#include <unistd.h>
struct item { int price; char name[8]; };
int total = 40;
static inline int times(int a, int b) { total += a; return a * b + getppid() * 0; }
__attribute__((noipa)) int sell(struct item *it, int n)
{
	int sum = times(it->price, n);
	total++;
	return sum;
}
int main(void) { struct item i = { 7, "tea" }; return sell(&i, 3) != 21; }
END
program='uprobe:./shop:sell:entry { printf("%d %s %d %d\n", it->price, it->name, n, ((struct item *)arg0)->price); }
	uprobe:./shop:shop.c:8 { printf("sum %d total %d\n", sum, total); }
	uprobe:./shop:times:entry { printf("times %d %d\n", a, b) }
	syscall::getppid:entry /pid == $target/ { ustack(3); }'
DTX=$(realpath "$DTX")
cd "$tmp" || exit

# shown OPTION…: what a program that is compiled so has.
shown() {
	gcc -g -O2 "$@" -o shop shop.c || fail gcc
	asked "$*"
}
asked() {
	"$DTX" -x stacklines -x ustackinline -qn "$program" -c ./shop >out 2>err || fail "$1 $(cat err)"
	sed 's/+0x[0-9a-f]*//' out
	"$DTX" -lvn 'uprobe:./shop:sell:shop.c@*' >out 2>err || fail "$1 $(cat err)"
	grep -v ID out
}
shown >whole
grep -q '^7 tea 3 7$' whole && grep -q '^sum 21 total 47$' whole && grep -q '^times 7 3$' whole || fail "$(cat whole)"
for version in 5 4; do
	same "$(cat whole)" "$(shown -gsplit-dwarf -gdwarf-$version)" "of DWARF $version"
	ls ./*.dwo >dwo || fail 'it is not in a file of its own'
	mkdir -p build "moved$version" "packed$version"
	for compiler in gcc clang; do
		command -v $compiler >/dev/null || continue
		(cd build && $compiler -g -O2 -gdwarf-$version ../shop.c -o shop && asked whole) >of_$compiler || fail $compiler
		rm -f build/* moved$version/*
		(cd build && $compiler -g -O2 -gsplit-dwarf -gdwarf-$version -c ../shop.c && $compiler -o shop shop.o && mv shop ./*.dwo "../moved$version") || fail $compiler
		(cd moved$version && same "$(cat ../of_$compiler)" "$(asked moved)" "$compiler, moved, of DWARF $version") || exit 1
		for dwp in llvm-dwp-19 llvm-dwp dwp; do
			rm -f packed$version/*
			cp moved$version/shop packed$version
			(cd moved$version && $dwp -e shop -o "../packed$version/shop.dwp") >/dev/null 2>&1 && [ -s packed$version/shop.dwp ] || continue
			(cd packed$version && same "$(cat ../of_$compiler)" "$(asked package)" "$compiler, $dwp, of DWARF $version") || exit 1
			break
		done
	done
	shown -gsplit-dwarf -gdwarf-$version >out
	rm ./*.dwo
	read -r file <dwo
	if "$DTX" -e -n 'uprobe:./shop:sell:entry { trace(it->price); }' 2>err; then fail 'types of a file that is gone'; fi
	grep -qF "note: debugging information of uprobe:./shop:sell:entry: it is in $tmp/${file#./}, which is not there" err || fail "$(cat err)"
	if "$DTX" -e -n 'uprobe:./shop:shop.c:8 { }' 2>err; then fail 'lines of a file that is gone'; fi
	grep -qF "it is in $tmp/${file#./}, which is not there" err || fail "$(cat err)"
done

# A damaged package.
cd packed5 || exit
[ -s shop.dwp ] || exit 0
mv shop.dwp whole.dwp
size=$(stat -c %s whole.dwp)
for at in $(seq 1 $((size / 12)) "$size"); do
	head -c "$at" whole.dwp >shop.dwp
	"$DTX" -e -n 'uprobe:./shop:sell:entry { trace(it->price); }' >out 2>err
	[ $? -le 1 ] || fail "cut at $at: $(cat err)"
	cp whole.dwp shop.dwp
	printf '\377\377\377\177' | dd of=shop.dwp bs=1 seek="$at" conv=notrunc 2>dd.err || fail "$(cat dd.err)"
	"$DTX" -e -n 'uprobe:./shop:sell:entry { trace(it->price); }' >out 2>err
	[ $? -le 1 ] || fail "damaged at $at: $(cat err)"
done
echo 'no package' >shop.dwp
if "$DTX" -e -n 'uprobe:./shop:sell:entry { trace(it->price); }' 2>err; then fail 'types of a package that is none'; fi
grep -q 'the package ./shop.dwp cannot be read' err || fail "$(cat err)"
