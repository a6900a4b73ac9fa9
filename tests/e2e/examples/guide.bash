# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # tmp is of lib.sh
#
# For the tests of docs/guide. Sourced, after lib.sh.
. "$(dirname "$0")/oneliners.bash"

needs_functions='kprobe:|kretprobe:|fbt:|fentry:|fexit:|lockstat:'         # … of the kernel

# programs PAGE: the commands of a page, those in its tables too, as indented lines.
programs() {
	{
		grep '^    dtx ' "$1"
		sed -n 's/^|.*| `\(dtx [^`]*\)`[^`]*|$/    \1/p' "$1"
	} | sed "s/-p 1234/-p $$/; s/-c CMD/-c true/"
}

# spans PAGE: the commands within the text of a page, which may go over two lines.
spans() { awk '/^```/ { block = !block; next } !block' "$1" | tr '\n' ' ' | grep -o '`dtx [^`]*`' | tr -d '`'; }

# in_folder: go to a folder with the program that the pages speak of.
in_folder() {
	DTX=$(readlink -f "$DTX")
	mkdir "$tmp/work"
	awk '/^cat >shop.c/ { on = 1; next } /^END$/ { on = 0 } on' docs/guide/own-program.md >"$tmp/work/shop.c"
	gcc -O1 -g "$tmp/work/shop.c" -o "$tmp/work/shop" || fail "the program of the page does not compile"
	cd "$tmp/work" || exit 1
}
