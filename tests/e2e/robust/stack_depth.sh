#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The verifier allows a program and all functions that it calls 512 bytes of stack together (from
# Linux 6.13 on each function has as much): a large clause with many variables leaves room for ustack().
# where: both
# on: oldest
. "$(dirname "$0")/../lib.sh"

{
	echo 'string names[int]; int sum; BEGIN {'
	for ((i = 0; i < 30; i++)); do
		echo "this->a$i = (long)pid + $i; this->b = this->a$i * tid ^ uid;"
		echo "names[$i] = strjoin(\"name\", lltostr(names[$i + 1] == execname ? this->b : this->a$i - pid));"
		((i % 8)) || echo "@[ustack(), names[$i], this->a$i] = quantize(this->a$i);"
	done
	for ((i = 0; i < 30; i++)); do echo "sum += this->a$i - pid;"; done
	echo '} ERROR { @errors[ustack()] = count(); } BEGIN { printf("sum %d\n", sum); exit(0); }'
} >"$tmp/large.d"
dtx -qs "$tmp/large.d"
same 'sum 435' "$(head -n 1 "$tmp/out")" "30 variables"
same '0 16 24 8' "$(awk '$1 ~ /^name/ { print substr($1, 5) }' "$tmp/out" | sort | paste -sd ' ')" "keys"
