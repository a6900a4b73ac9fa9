#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes python3 objcopy
# attack: a program of another machine, byte order or class as the file of a probe | dtx says which, and probes nothing
#
# Files of other machines: numbers in code, notes and tables are read as this machine has them, so such a file is refused, with the
# reason.
. "$(dirname "$0")/../lib.sh"

# changed NAME PLACE BYTE…: the trigger program with other bytes in its ELF header.
changed() {
	python3 - "$t/sleeper" "$tmp/$1" "$2" "${@:3}" <<-'P'
		import sys
		code = bytearray(open(sys.argv[1], 'rb').read())
		at = int(sys.argv[3])
		code[at:at + len(sys.argv) - 4] = bytes(map(int, sys.argv[4:]))
		open(sys.argv[2], 'wb').write(code)
	P
}
# stranger NAME REASON: refused by all providers that are given a file.
stranger() {
	for probe in "uprobe:$tmp/$1:nap:entry" "usdt:$tmp/$1:app:step"; do
		if "$DTX" -en "$probe { }" >"$tmp/out" 2>"$tmp/err"; then fail "$probe is accepted"; fi
		grep -qE "cannot be read: $2" "$tmp/err" || fail "$probe: $(cat "$tmp/err")"
	done
}
changed big 5 2                  # EI_DATA: ELFDATA2MSB
changed wide 4 3                 # EI_CLASS
changed foreign 18 22 0          # e_machine: EM_S390
changed same 5 1
stranger big 'it is of a machine with the other order of bytes [(]big-endian[)]'
stranger wide 'its ELF header says neither 32 nor 64 bits'
stranger foreign 'it is of another machine than this one'
"$DTX" -qen "uprobe:$tmp/same:nap:entry { }" || fail 'the unchanged one is refused'

# An image for it is none: the bytes of an object say the order, too.
"$DTX" -qn 'BEGIN { exit(0); }' --image "$tmp/image" || fail '--image'
python3 - "$tmp/image" <<'P'
import sys
code = bytearray(open(sys.argv[1], 'rb').read())
code[5] = 2
open(sys.argv[1], 'wb').write(code)
P
if timeout 10 "$DTX" -r "$tmp/image" >"$tmp/out" 2>"$tmp/err"; then fail 'an image of the other byte order runs'; fi
[ "$(wc -l <"$tmp/err")" -ge 1 ] || fail 'the image is refused without a reason'

# So are a file of debugging information, and types of a kernel: BTF itself, or in an ELF file.
# attack: debugging information and BTF of the other byte order | refused with the reason
objcopy --only-keep-debug "$t/sleeper" "$tmp/sleeper.debug" && objcopy --strip-all "$t/sleeper" "$tmp/stripped"
(cd "$tmp" && objcopy --add-gnu-debuglink=sleeper.debug stripped)
"$DTX" -qen "uprobe:$tmp/stripped:nap:entry { }" || fail 'the debug file is not found'
printf '\002' | dd of="$tmp/sleeper.debug" bs=1 seek=5 conv=notrunc status=none
refused 'sleeper.debug is not an ELF object that can be read: it is of a machine with the other order of bytes' \
	-en "uprobe:$tmp/stripped:nap:entry { }"
printf '\353\237\001\000\000\000\000\030' >"$tmp/types"
for file in big types; do
	refused "$tmp/$file is of a machine with the other order of bytes (big-endian) (-x btf)" -e -x btf="$tmp/$file" -n 'BEGIN { }'
done
