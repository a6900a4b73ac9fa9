#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root python3
# row: builtins.pystack options.pystackframes
#
# pystack() has the frames that the interpreter itself tells: nested functions, generators, coroutines, threads,
# recursion, other modules, code made at run time, names of all sizes of characters, a forked process.
. "$(dirname "$0")/../lib.sh"
here=$(dirname "$(readlink -f "$0")")
export PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1
python=$(readlink -f "$(python3 -c 'import sys; print(sys.executable)')")

# A text of too many bytes: the end of the file's name and the begin of the function's are kept.
cut() { sed -E 's/^\/l+(l{245}ong\/file.py)/...\1/; s/ (C{160})C+\.f$/ \1.../'; }
"$DTX" -qn 'syscall::getppid:entry /pid == $target || progenyof($target)/ { pystack(); }' \
	-c "$python $here/truth.py $tmp/truth" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
[ ! -s "$tmp/err" ] || fail "$(cat "$tmp/err")"
sed 's/^ *//' "$tmp/out" | grep . >"$tmp/seen"
grep . "$tmp/truth" | cut >"$tmp/want"
diff "$tmp/want" "$tmp/seen" || fail 'the frames are not those that the interpreter tells (<)'
[ "$(grep -c ' probe$' "$tmp/seen")" -ge 25 ] || fail "some calls were not seen: $(cat "$tmp/seen")"
grep -q '^<long>:5001 <module>$' "$tmp/seen" || fail 'the line after a long way'
grep -q "^$here/größer.py:11 Ключ.方法\$" "$tmp/seen" || fail 'names that are not ASCII'

# The depth.
deep() { "$DTX" -q "$@" -c "$python $here/truth.py $tmp/truth" 2>&1 | grep -c . ; }
same 1 "$(deep -n 'syscall::getppid:entry /pid == $target/ { pystack(1); exit(0); }')" 'pystack(1)'
same 2 "$(deep -n 'syscall::getppid:entry /pid == $target && n++ == 2/ { pystack(); exit(0); }' -x pystackframes=2)" 'pystackframes'
# In a large program, which is made in another way.
same 2 "$(deep -n 'syscall::getppid:entry /pid == $target/ { for (i = 0; i < 3; i++) x += i; pystack(2); exit(0); }')" 'after a loop'
