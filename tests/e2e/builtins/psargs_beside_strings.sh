#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# pr_psargs after other strings: the verifier follows few instructions; arguments of all lengths, none, empty ones, cut ones.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	string g;
	proc:::exec { self->parent = execname; }
	proc:::exec-success /progenyof($target) && execname == "true"/ {
		g = "text";
		printf("%s %s %s: [%s]\n", self->parent, g, execname, curpsinfo->pr_psargs);
	}
END
n=$("$DTX" -xbpflog -en 'string g; proc:::exec-success { trace(g); trace(curpsinfo->pr_psargs); }' 2>&1 | sed -n 's/^processed \([0-9]*\) insns.*/\1/p' | sort -n | tail -n 1)
[ "${n:-0}" -gt 0 ] && [ "$n" -lt 100000 ] || fail "${n:-no} instructions to verify"

want='' all=''
for ((i = 0; i < 90; i += 7)); do
	all+=" $(printf "%0${i}d" 7 | tr 0 x)"
	echo "true$all" >>"$tmp/load"
	text="true$all"
	want+="sh text true: [${text::79}]"$'\n'
done
echo "true '' a  ''" >>"$tmp/load"
sed -i 's,^true,/bin/true,' "$tmp/load"
want=$(sed 's,\[true,[/bin/true,; s/\(\[.\{79\}\).*\]/\1]/' <<<"$want")
dtx -s "$tmp/script.d" -c "sh $tmp/load"
same "$(sed '/^$/d' <<<"$want")
sh text true: [/bin/true  a ]" "$(grep '^sh ' "$tmp/out")" "the arguments"
