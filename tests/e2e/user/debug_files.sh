#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc objcopy strip
# where: native
#
# A debug file is used only if it is the program's: by its build id, or the checksum of .gnu_debuglink. It is found beside the file that
# a symbolic link leads to. What cannot be read (zstd, a package of split debugging information) is named.
#
# truth: debug files of another build | a member of a structure by .gnu_debuglink | the program's own value, or a refusal
. "$(dirname "$0")/../lib.sh"

program() { echo "struct item { $1 }; __attribute__((noipa)) int sell(struct item *it) { return it->price; }
	int main(void) { struct item it = { .price = 42 }; return sell(&it); }"; }
cd "$tmp" || exit
DTX=$(realpath "$OLDPWD/$DTX" 2>/dev/null || realpath "$DTX")
program 'int pad, price;' >one.c
program 'int price, pad;' >two.c
made() { # NAME OPTION…
	gcc -g -O0 "${@:2}" -o "$1" "$1.c" && objcopy --only-keep-debug "$1" "$1.debug" && strip "$1" || fail 'cannot compile'
}
ask() { "$DTX" -qn "uprobe:$1:sell:entry { trace(args.it->price); }" -c "$1" >out 2>err; }
for id in none sha1; do
	made one -Wl,--build-id=$id
	made two -Wl,--build-id=$id
	rm -rf right wrong bin && mkdir right wrong bin
	cp one.debug right/shop.debug && (cd right && objcopy --add-gnu-debuglink=shop.debug ../one shop) || fail objcopy
	cp right/shop wrong/shop && cp two.debug wrong/shop.debug
	ln -s ../right/shop bin/shop
	for program in ./right/shop ./bin/shop; do
		ask $program
		grep -qw 42 out || fail "$id: $program: $(cat out err)"
	done
	ask ./wrong/shop && fail "$id: a debug file of another build is used: $(cat out)"
	grep -qE 'wrong/shop.debug is of another build: its (build id|checksum)' err || fail "$id: $(cat err)"
	echo 'no ELF' >wrong/shop.debug
	ask ./wrong/shop && fail "$id: a debug file that is none is used: $(cat out)"
	grep -qE 'the debug file .*wrong/shop.debug is not an ELF object that can be read' err || fail "$id: $(cat err)"
done
mkdir bare && cp one bare/shop || fail 'cannot copy'
refused "there is no function 'sell' in shop: it is stripped" -n 'pid$target:shop:sell:entry { }' -c bare/shop
refused 'bare/shop: it is stripped of the names of its functions' -n "uprobe:$PWD/bare/shop:sell:entry { }"
zstd=objcopy
objcopy --help | grep -q zstd || zstd=$(command -v llvm-objcopy-19 || command -v llvm-objcopy) || exit 0
gcc -g -O0 -o zip one.c && $zstd --compress-debug-sections=zstd zip 2>err || exit 0
ask ./zip || fail "zstd: $(cat err)"
