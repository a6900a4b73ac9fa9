#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.H flag.X opt.cppargs opt.cpphdrs opt.cpppath opt.stdc
# needs: cpp
#
# The preprocessor: -H names the files it includes, -X and stdc its standard, cppargs adds an argument, cpppath
# chooses the program.
. "$(dirname "$0")/../lib.sh"

printf '#define N 7\n' >"$tmp/n.h"
printf '#include "n.h"\nBEGIN { trace(N); exit(0); }\n' >"$tmp/n.d"
for flag in -H '-x cpphdrs'; do
	dtx -q -C $flag -I "$tmp" -s "$tmp/n.d"
	grep -q 'n\.h' "$tmp/err" || fail "$flag names no file: $(cat "$tmp/err")"
	same 7 "$(cat "$tmp/out")" "$flag"
done
dtx -q -C -I "$tmp" -s "$tmp/n.d"
grep -q 'n\.h' "$tmp/err" && fail 'files are named without -H'
printf 'BEGIN { trace(ADDED); exit(0); }\n' >"$tmp/a.d"
dtx -q -C -x cppargs=-DADDED=5 -s "$tmp/a.d"
same 5 "$(cat "$tmp/out")" cppargs
dtx -q -C -x cppargs='-DADDED=(FOUR+1)  -DFOUR=4' -s "$tmp/a.d"
same 5 "$(cat "$tmp/out")" 'two in one'
printf '#ifdef __STRICT_ANSI__\nBEGIN { trace("strict"); exit(0); }\n#else\nBEGIN { trace("lax"); exit(0); }\n#endif\n' >"$tmp/x.d"
for option in '-X c' '-x stdc=c'; do dtx -q -C $option -s "$tmp/x.d"; same strict "$(cat "$tmp/out")" "$option"; done
dtx -q -C -X a -s "$tmp/x.d"; same lax "$(cat "$tmp/out")" '-X a'
"$DTX" -q -C -X z -s "$tmp/x.d" 2>"$tmp/err" && fail '-X z is accepted'
printf '#!/bin/sh\necho "BEGIN { trace(99); exit(0); }"\n' >"$tmp/mycpp" && chmod +x "$tmp/mycpp"
dtx -q -C -x cpppath="$tmp/mycpp" -s "$tmp/a.d"
same 99 "$(cat "$tmp/out")" cpppath
if "$DTX" -q -C -x cpppath="$tmp/none" -s "$tmp/a.d" 2>"$tmp/err"; then fail 'a cpppath that does not exist'; fi
# define, undef and incdir are -D, -U and -I.
dtx -q -C -x define=ADDED=6 -s "$tmp/a.d"
same 6 "$(cat "$tmp/out")" define
dtx -q -C -x incdir="$tmp" -s "$tmp/n.d"
same 7 "$(cat "$tmp/out")" incdir
printf '#ifdef __linux__\nBEGIN { trace("here"); exit(0); }\n#else\nBEGIN { trace("gone"); exit(0); }\n#endif\n' >"$tmp/u.d"
dtx -q -C -s "$tmp/u.d"; same here "$(cat "$tmp/out")" 'a definition of the preprocessor'
dtx -q -C -x undef=__linux__ -s "$tmp/u.d"; same gone "$(cat "$tmp/out")" undef
