#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Keys of every alignment, from two processors: the number of a processor is in the first gap of four bytes of a tuple, in the
# last byte of a string, or behind it, and keeps no tuple from being one row; clear() and trunc() find both.
. "$(dirname "$0")/../lib.sh"
cat >"$tmp/gap.d" <<'D'
syscall::exit_group:entry
/execname == "gapped"/
{
	@one[(char)1] = count();
	@four[4] = sum(40);
	@eight[8LL] = count();
	@gap[(short)2, "after"] = count();
	@none[4, 5, "after"] = max(7);
	@late[(char)1, 8LL, (short)3] = count();
	@tight[(char)1, (short)2, 3] = count();
	@text["seven77"] = count();
	@texts["x", "seven77", 8LL] = count();
	@cut[strjoin("0123456789abcdef", execname)] = count();
	@cleared[4] = sum(9);
	@clearedtext["seven77"] = sum(9);
	@cleared8[8LL] = sum(9);
	@kept[4, "most"] = sum(9);
	@kept[4, "least"] = sum(1);
}
END
{
	clear(@cleared);
	clear(@cleared8);
	clear(@clearedtext);
	trunc(@kept, 1);
	printa("one %d %@d\n", @one);
	printa("four %d %@d\n", @four);
	printa("eight %d %@d\n", @eight);
	printa("gap %d %s %@d\n", @gap);
	printa("none %d %d %s %@d\n", @none);
	printa("late %d %d %d %@d\n", @late);
	printa("tight %d %d %d %@d\n", @tight);
	printa("text %s %@d\n", @text);
	printa("texts %s %s %d %@d\n", @texts);
	printa("cut %s %@d\n", @cut);
	printa("cleared %d %@d\n", @cleared);
	printa("cleared %s %@d\n", @clearedtext);
	printa("cleared8 %d %@d\n", @cleared8);
	printa("kept %d %s %@d\n", @kept);
}
D
cat >"$tmp/want" <<'TEXT'
one 1 2
four 4 80
eight 8 2
gap 2 after 2
none 4 5 after 7
late 1 8 3 2
tight 1 2 3 2
text seven77 2
texts x seven77 8 2
cut 0123456 2
cleared 4 0
cleared seven77 0
cleared8 8 0
kept 4 most 18

TEXT
cpus=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*[-,]/,/; s/-/,/')
case $cpus in *,*) ;; *) skip "one processor" ;; esac
cp /bin/true "$tmp/gapped"
echo "taskset -c ${cpus%,*} $tmp/gapped; taskset -c ${cpus#*,} $tmp/gapped" >"$tmp/both"
dtx -qs "$tmp/gap.d" -x strsize=8 -c "sh $tmp/both"
diff "$tmp/want" "$tmp/out" || fail "keys of processors $cpus"
