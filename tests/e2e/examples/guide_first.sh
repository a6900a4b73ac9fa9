#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf uprobes gcc
# where: native
#
# The path of a new reader: what docs/guide/first.md says is typed as it stands there, in an empty folder, up to the
# first probe of an own program; the output is what the page shows.
. "$(dirname "$0")/../lib.sh"

# blocks LANGUAGE: the lines of the fenced blocks of that language.
blocks() { awk -v begin="\`\`\`$1" '$0 == begin { on = 1; next } /^```$/ { on = 0 } on' docs/guide/first.md; }
mkdir "$tmp/bin" "$tmp/work"
ln -s "$(readlink -f "$DTX")" "$tmp/bin/dtx"
blocks sh >"$tmp/typed"
[ "$(wc -l <"$tmp/typed")" -gt 15 ] || fail "the page has no commands"
(cd "$tmp/work" && PATH=$tmp/bin:$PATH bash -eu "$tmp/typed") >"$tmp/out" 2>"$tmp/err" || fail "the commands of the page fail: $(cat "$tmp/err")"
[ ! -s "$tmp/err" ] || fail "they say: $(cat "$tmp/err")"
same "$(blocks output | grep .)" "$(grep . "$tmp/out")" "what the page shows"
