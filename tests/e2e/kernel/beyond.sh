#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf gcc
# truth: arguments of variadic functions beyond the named ones | arg2 of __request_module | the protocol family of the program's own socket()
# truth: dynamic arrays of tracepoints | the first and the last element, and none behind it | the opcode and length in the same event
# truth: flexible array of a struct | pathname->iname[n] | the path that is opened
# truth: per-CPU variables of modules | xt_recseq of x_tables | the address is one of a CPU
#
# What lies behind the end of arguments, arrays and structs: read where it is, or an error.
. "$(dirname "$0")/../lib.sh"

# A family that no kernel has: the module that is looked for has its number in the name.
if matches fbt::__request_module:entry; then
	gcc -x c -o "$tmp/family" - <<<'#include <sys/socket.h>
	int main(void) { socket(41, SOCK_DGRAM, 0); return 0; }'
	for probe in fbt rawfbt; do
		dtx -qn "$probe::__request_module:entry /pid == \$target/ { printf(\"%s %d\n\", stringof((char *)arg1), (int)arg2); }" -c "$tmp/family"
		grep -qx 'net-pf-%d-proto-%d-type-%d 41' "$tmp/out" || grep -qx 'net-pf-%d 41' "$tmp/out" || fail "$probe: arg2 of __request_module: $(cat "$tmp/out" "$tmp/err")"
	done
	"$DTX" -en 'fbt::__request_module:entry { trace(args[2]); }' >"$tmp/out" 2>&1 && fail 'an argument without a type has one'
fi

# Linux 7.2 has another name.
open=do_filp_open
grep -q ' do_filp_open$' /proc/kallsyms || open=do_file_open
dtx -qn 'fbt::'$open':entry /pid == $target/ { printf("%d %c%c %s\n", pathname->iname[0], pathname->iname[1], args.pathname->iname[arg0 ? 2 : 0], stringof(pathname->iname)); }' \
	-c 'cat /etc/hostname'
grep -qx '47 et /etc/hostname' "$tmp/out" || fail "flexible array: $(cat "$tmp/out" "$tmp/err")"

# A pointer of the program, which the type does not say.
dtx -qn 'fbt::do_sys_openat2:entry /pid == $target/ { trace(*args.filename); }' -c 'cat /etc/hostname'
grep -q 'invalid address' "$tmp/err" && { grep -qF 'copyin()' "$tmp/err" || fail "no word of copyin(): $(cat "$tmp/err")"; }

# Commands of a disk that scsi_debug makes: 6 bytes and more.
modules scsi_common scsi_mod crct10dif_common crc-t10dif
if matches tracepoint:scsi:scsi_dispatch_cmd_start; then
	file=$(module_file scsi_debug)
	dtx -qn 'tracepoint:scsi:scsi_dispatch_cmd_start {
			right += args.cmnd[0] == args.opcode && *args.cmnd == args.opcode && args.cmnd[args.cmd_len - 1] >= 0; all++;
		}
		tracepoint:scsi:scsi_dispatch_cmd_start { none += args.cmnd[args.cmd_len] >= 0; }
		tracepoint:scsi:scsi_dispatch_cmd_start { none += args.cmnd[200] >= 0; }
		ERROR { errors += arg4 == DTRACEFLT_BADINDEX; }
		END { printf("%d %d %d %d\n", all > 0, right - all, none, errors - 2 * all); }' -c "insmod $file"
	grep -qx '1 0 0 0' "$tmp/out" || fail "dynamic array: $(cat "$tmp/out" "$tmp/err")"
fi

modules x_tables
if [ -e /sys/module/x_tables ] && grep -q ' xt_recseq' /proc/kallsyms; then
	dtx -qn 'BEGIN { printf("%d\n", x_tables`xt_recseq.sequence & 1); exit(0); }'
	grep -qx 0 "$tmp/out" || fail "per-CPU variable of a module: $(cat "$tmp/out" "$tmp/err")"
fi
exit 0
