# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# precompiled.awk - functions of the BPF library as text, which compiler/emit/target/precompiled.c puts into
# programs.  First file: their LLVM IR, which tells the parameters.  Second: their assembly.  For each
# function a line "@name number of parameters", its instructions, and an empty line.  Its labels get
# names that no program has.

/^define .* @dtx_g_/ {
	name = $0
	sub(/^define .* @/, "", name)
	list = name
	sub(/\(.*/, "", name)
	sub(/^[^(]*\(/, "", list)
	sub(/\) .*/, "", list)
	count[name] = list == "" ? 0 : split(list, part, ",")
}

/\.section|\.LC/ { print "precompiled.awk: data has no place: " $0 >"/dev/stderr"; bad = 1 }

FNR == NR || /^[ \t]*(#|\.[a-z])/ || /^\.L[A-Za-z]/ { next }

{ sub(/[ \t]*#.*/, "") }

/^dtx_g_[a-z_0-9]*:$/ {
	sub(/:$/, "")
	if (open++)
		print ""
	printf "@%s %d\n", $0, count[$0]
	next
}

/^LBB[0-9_]*:$/ || /^\t/ {
	gsub(/LBB/, ".Lpre")
	if ($1 ~ /^r/ && $2 == "=" && $3 ~ /^w/)     # LLVM writes this, but does not read it
		sub(/r/, "w")
	print
	next
}

NF { print "precompiled.awk: what is this? " $0 >"/dev/stderr"; bad = 1 }

END { print ""; exit bad }
