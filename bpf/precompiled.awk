# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# precompiled.awk - functions of the BPF library as text, which compiler/emit/target/precompiled.c puts into
# programs.  First file: their LLVM IR, which tells the parameters.  Second: the disassembly of their object.
# Third: their assembly.  For each function a line "@name number of parameters", its instructions, and an
# empty line.  Its labels get names that no program has.  In front of an instruction that names nothing and
# jumps nowhere are its bytes, as they are in a string of assembly: each as short as it gets, for another one or
# the end of the string follows.

BEGIN { for (n = 0; n < 256; n++) escape[sprintf("%02x", n)] = sprintf("\\%o", n) }

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

FNR == 1 { file++ }
file == 2 && /^[0-9a-f]* <dtx_g_[a-z_0-9]*>:$/ { name = $2; gsub(/[<>:]/, "", name) }
file == 2 && /^ *[0-9]*:\t/ {
	split($0, part, "\t")
	n = split(part[2], byte, " ")
	list = ""
	for (i = 1; i <= n; i++)
		list = list escape[byte[i]]
	code[name, ++last[name]] = list
}

file < 3 || /^[ \t]*(#|\.[a-z])/ || /^\.L[A-Za-z]/ { next }

{ sub(/[ \t]*#.*/, "") }

/^dtx_g_[a-z_0-9]*:$/ {
	sub(/:$/, "")
	if (open++)
		print ""
	printf "@%s %d\n", $0, count[$0]
	name = $0
	at = 0
	next
}

/^LBB[0-9_]*:$/ || /^\t/ {
	gsub(/LBB/, ".Lpre")
	if ($1 ~ /^r/ && $2 == "=" && $3 ~ /^w/)     # LLVM writes this, but does not read it
		sub(/r/, "w")
	if (/^\t/ && !((name, ++at) in code)) {
		print "precompiled.awk: not in the object: " name ": " $0 >"/dev/stderr"
		bad = 1
	}
	print (/^\t/ && !/dtx_|goto/ ? code[name, at] : "") $0
	next
}

NF { print "precompiled.awk: what is this? " $0 >"/dev/stderr"; bad = 1 }

END { print ""; exit bad }
