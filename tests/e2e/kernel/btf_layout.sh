#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Sizes of kernel structs, places of their members and values of their bit-fields are those that bpftool reads in the kernel's BTF.
# needs: btf bpftool
. "$(dirname "$0")/../lib.sh"

structs=' task_struct sk_buff request inode file dentry tcp_sock sock iphdr tcphdr ipv6hdr mm_struct page bio gendisk cred rq net_device '

# For each member of the structs a line of D, and what it must print; a bit-field is read of one word in scratch memory.
bpftool btf dump file /sys/kernel/btf/vmlinux format raw | awk -v structs="$structs" -v q="'" -v dir="$tmp" '
	function clause() { if (n++ % 60 == 0) print (n > 1 ? "}\nBEGIN\n{\n" : "BEGIN\n{\n") "\tthis->m = (uint64_t *)alloca(16);" >d }
	function ask(text, value) { clause(); printf "\tprintf(\"%s %%d\\n\", %s);\n", text, text >d; print text, value >must }
	BEGIN { d = dir "/d"; must = dir "/must" }
	/^\[/ { in_it = 0 }
	$2 == "STRUCT" {
		gsub(q, "", $3)
		if (index(structs, " " $3 " ") && !seen[$3]++) { in_it = 1; su = $3; sub("size=", "", $4); ask("sizeof(struct " su ")", $4) }
		next
	}
	in_it && $1 != q "(anon)" q {
		gsub(q, "", $1); sub("bits_offset=", "", $3)
		if (!sub("bitfield_size=", "", $4)) { ask("offsetof(struct " su ", " $1 ")", $3 / 8); next }
		clause()
		word = int($3 / 64) * 8
		printf "\tthis->m[0] = 1ULL << %d;\n", $3 - 8 * word >d
		printf "\tprintf(\"%s.%s %%d\\n\", ((struct %s *)((uint64_t)this->m - %d))->%s & 1);\n", su, $1, su, word, $1 >d
		printf "\tthis->m[0] = ~(((1ULL << %d) - 1) << %d);\n", $4, $3 - 8 * word >d
		printf "\tprintf(\"%s.%s %%d\\n\", ((struct %s *)((uint64_t)this->m - %d))->%s);\n", su, $1, su, word, $1 >d
		print su "." $1, 1 >must; print su "." $1, 0 >must
	}
	END { print "}\nBEGIN { exit(0); }" >d }'
[ "$(wc -l <"$tmp/must")" -gt 1000 ] || fail "bpftool names $(wc -l <"$tmp/must") members"
dtx -qs "$tmp/d"
grep . "$tmp/out" | diff "$tmp/must" - >&2 || fail 'not where bpftool has it'
