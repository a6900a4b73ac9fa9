#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: git
# where: native
# beside: it reads the whole tree several times
# timeout: 240
#
# The recipes of docs/architecture.md for a test, a decision and a detail of D, followed in a copy of the tree: the test
# is run, the page lists the detail, and tests/lint is content. It complains if a part of a recipe is left out.
. "$(dirname "$0")/../lib.sh"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip 'the tree is not in git'

tree=$tmp/tree
mkdir "$tree"
git ls-files -z | xargs -0 cp -a --parents -t "$tree"
case $DTX in /*) ;; *) DTX=$PWD/$DTX ;; esac
cd "$tree" || fail 'no tree'
git init -q .
complaints() { git add -A; tests/lint | grep -v '^lint: '; }

# A test: a file beside its output. A topic is a folder.
mkdir tests/e2e/kitchen
cat >tests/e2e/kitchen/salad.d <<-'END'
	/* SPDX-License-Identifier: BSD-2-Clause */
	// where: native
	// run: -q
	BEGIN { trace(42); exit(0); }
END
echo 42 >tests/e2e/kitchen/salad.out
cat >tests/lang/err.D_SYNTAX.salad.d <<-'END'
	/* SPDX-License-Identifier: BSD-2-Clause */
	BEGIN { salad salad }
END
DTX=$DTX DTX_KERNELS='' tests/run e2e/kitchen/ lang/err.D_SYNTAX.salad >"$tmp/run" 2>&1 || fail "the tests: $(cat "$tmp/run")"
grep -qx '2 passed, 0 failed, 0 skipped' "$tmp/run" || fail "not two tests: $(cat "$tmp/run")"
echo 43 >tests/e2e/kitchen/salad.out
DTX=$DTX DTX_KERNELS='' tests/run e2e/kitchen/ >"$tmp/run" 2>&1 && fail 'another output passes'
echo 42 >tests/e2e/kitchen/salad.out

# A decision: its page, its line in the list, its name in a source.
name=99-salad ext=md
page=docs/decisions/$name
printf '# 99. Salad is served first\n\nIt is cold.\n\nIn the code: `base/arena.c`.\n' >"$page.$ext"
echo "99. [Salad is served first]($name.$ext)" >>docs/decisions/README.md
same "$page.$ext: no source names it: let its main one do so, in the comment at the head" "$(complaints)" 'a decision without a source'
sed -i "0,/^ \*\//s,^ \*/, * Why: $page.$ext\n */," base/arena.c

# A detail of D: a row, and the page that is made of it.
echo 'value.salad | salad has the number 42 | e2e/kitchen/salad.d |' >>tests/conformance.def
tests/conformance --check | grep -q . || fail 'the page need not be made'
make -s conformance || fail 'the page is not made'
grep -q 'salad has the number 42.*kitchen/salad\.d' docs/conformance.md || fail 'the page does not have it'
same '' "$(complaints)" 'the recipes were followed'
