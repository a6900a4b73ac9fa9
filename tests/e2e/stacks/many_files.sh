#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc python3
# where: native
# timeout: 60
#
# Thirty-two programs, each of its own build and with 99,000 symbols, which together need 290 MB: what is read of them stays within one
# limit, which is told; names are those of each program, also of those that were thrown out and are asked for again.
#
# attack: thirty-two programs of 99,000 symbols each | memory below 200 MB, all names right, and a message
# truth: symbols of many files | ustack() in thirty-two programs that differ in the name of one function | the program's own name
. "$(dirname "$0")/../lib.sh"
plain 'it takes memory of its own'

# main() is of assembly, so that each program differs from the others only in the bytes that are set below.
cat >"$tmp/p.s" <<'END'
	.macro more
	.type f\@, @function
f\@:	ret
	.size f\@, 1
	.endm
	.globl main
	.type main, @function
main:	.cfi_startproc
	sub $8, %rsp
	.cfi_def_cfa_offset 16
	call own_name_00
	xor %eax, %eax
	add $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size main, .-main
	.type own_name_00, @function
own_name_00:
	.cfi_startproc
	sub $8, %rsp
	.cfi_def_cfa_offset 16
	call getppid
	call getuid
	add $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size own_name_00, .-own_name_00
	.rept 99000
	more
	.endr
	.section .note.GNU-stack, "", @progbits
END
gcc -g -no-pie -Wl,--build-id=0x1111111111111111111111111111111111111100 "$tmp/p.s" -o "$tmp/p00" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
cat >"$tmp/copies.py" <<'END'
import os, sys
folder, n = sys.argv[1], int(sys.argv[2])
d = open(folder + '/p00', 'rb').read()
name, build = b'own_name_00\0', b'\x11' * 19 + b'\0'
assert d.count(name) and d.count(build) == 1
for i in range(1, n):
    path = '%s/p%02d' % (folder, i)
    open(path, 'wb').write(d.replace(name, b'own_name_%02d\0' % i).replace(build, b'\x11' * 19 + bytes([i])))
    os.chmod(path, 0o755)
END
n=32
python3 "$tmp/copies.py" "$tmp" $n || fail 'cannot make the copies'

# At the end one place of each program is shown, and after that another one of each: files are read again.
cat >"$tmp/all" <<END
#!/bin/bash
for i in \$(seq -w 0 $((n - 1))); do "$tmp/p\$i"; done
END
chmod 755 "$tmp/all"
python3 - "$DTX" -qv -x stacklines -n 'syscall::getppid:entry, syscall::getuid:entry { self->on = progenyof($target) && execname != "all"; }
syscall::getppid:entry /self->on/ { @first[ustack(2)] = count(); } syscall::getuid:entry /self->on/ { @second[ustack(2)] = count(); }' -c "$tmp/all" \
	>"$tmp/out" 2>"$tmp/err" 3>"$tmp/used" <<'END'
import os, resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
os.write(3, str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss).encode())
sys.exit(status)
END
status=$?
[ $status = 0 ] || fail "status $status: $(cat "$tmp/err")"
for i in $(seq -w 0 $((n - 1))); do
	for place in '0x9 (p.s:23)' '0xe (p.s:24)'; do
		grep -qxF "              p$i\`own_name_$i+$place" "$tmp/out" || fail "p$i has not its name at $place: $(grep -F "p$i" "$tmp/out")"
	done
done
[ "$(cat "$tmp/used")" -lt 200000 ] || fail "dtx took $(cat "$tmp/used") kB"
grep -qE 'symbols of all files together need more than [0-9]+ MB: those .* thrown out' "$tmp/err" || fail "nothing is told: $(cat "$tmp/err")"
grep -qE 'symbols of programs and libraries: of 3[0-9] files, .* thrown out [1-9][0-9]* times, read again [1-9][0-9]* times' "$tmp/err" ||
	fail "-v has no figures: $(cat "$tmp/err")"
most=$(sed -n 's/.*symbols of programs and libraries: .* at most \([0-9]*\) MB.*/\1/p' "$tmp/err")
[ "$most" -le 92 ] || fail "symbols took $most MB, of 84 that all may have"
