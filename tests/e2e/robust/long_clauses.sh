#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
# timeout: 120
#
# A clause of 1,000 statements is several functions to the kernel (compiler/emit/emit_loop.c) and one to the user: its
# variables, record, faults, loops and `return` are those of a short one.
. "$(dirname "$0")/../lib.sh"

# statements FROM TO TEXT: TEXT for each of them, with the number in the place of I.
statements() { awk -v from="$1" -v to="$2" -v text="$3" 'BEGIN { for (i = from; i < to; i++) { t = text; gsub("I", i, t); print t } }'; }

# gives WANT NAME: the clauses on standard input print that.
gives() {
	{ echo 'string s; long m[long]; self long a; int k;'; cat; } >"$tmp/p.d"
	dtx -q -s "$tmp/p.d" || fail "$2: $(head -n 5 "$tmp/err")"
	same "$1" "$(tr -s " \n" " " <"$tmp/out" | sed "s, $,,; s,^ ,,")" "$2"
}

# Every kind of statement, in every part: x and this->y count, s and m hold the last.
{
	echo 'BEGIN { x = 0; this->y = 0;'
	statements 0 1000 'x += I; this->y++; self->a = self->a + (x & 1); m[I % 7] = I; s = strjoin("k", lltostr(I)); if (I % 2) { @odd = count(); } else { @even = sum(I); }' | head -n 170
	echo 'printf("%d %d %d %d %s\n", x, this->y, self->a, m[3], s); printa("%@d\n", @even); exit(0); }'
} | gives "14365 170 85 164 k169 7140 85" 'every kind of statement'

# One record, whose fields come from all parts.
{
	echo 'BEGIN {'
	statements 0 300 'x += I; printf("%d ", I);'
	echo 'exit(0); }'
} | gives "$(seq -s " " 0 299)" 'one record'

# A loop in the last part, and in between.
{
	echo 'BEGIN { x = 0;'
	statements 0 250 'x += I;'
	echo 'for (this->i = 0; this->i < 10; this->i++) { if (this->i == 7) break; x += 1000; }'
	statements 0 250 'x += I;'
	echo 'for (this->i = 0; this->i < 3; this->i++) for (this->j = 0; this->j < 3; this->j++) x += 100000;'
	echo 'printf("%d", x); exit(0); }'
} | gives 969250 'loops'

# return leaves all parts, from one with a loop as well; what was recorded is sent.
for at in 'return;' 'for (this->i = 0; this->i < 5; this->i++) if (this->i == 3) return;'; do
	{
		echo 'BEGIN { x = 0;'
		statements 0 400 'x += I;'
		echo "printf(\"%d\", x); $at"
		statements 0 400 'x += I;'
		echo 'printf("not reached"); }'
		echo 'BEGIN { printf(" %d", x); exit(0); }'
	} | gives '79800 79800' "return, by $at"
done

# A fault ends the clause, is told with its line, and loses the record; the next clause runs.
{
	echo 'BEGIN { x = 0;'
	statements 0 400 'x += I;'
	echo 'printf("lost %d", x); x = x / k;'
	statements 0 400 'x += I;'
	echo '}'
	echo 'BEGIN { printf("%d", x); exit(0); }'
	echo 'ERROR { printf("%d ", arg4); }'
} | gives '4 79800' 'a fault'

# speculate() that gets no speculation, and commit.
{
	echo 'BEGIN { this->id = speculation(); speculate(this->id); x = 0;'
	statements 0 400 'x += I;'
	echo 'printf("%d", x); }'
	echo 'BEGIN { commit(this->id); } BEGIN { exit(0); }'
} | gives '79800' 'a speculation'
