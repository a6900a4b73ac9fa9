#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
# timeout: 60
#
# Variables of the kernel whose types include/dtx/tables/kvars.def has: each that this kernel knows by name is read, and is
# what the files of /proc say.
. "$(dirname "$0")/../lib.sh"

boot=$(sed 's/ *$//' /proc/cmdline) pages=$(awk '/^MemTotal:/ { print $2 / 4 }' /proc/meminfo) forks=$(awk '$1 == "processes" { print $2 }' /proc/stat)
bogomips=$(awk '/^bogomips/ { n = $3 } END { print int(n) }' /proc/cpuinfo)      # of the processor measured last, at 250 Hz
rows=(
	"_totalram_pages|\`_totalram_pages.counter == ${pages%.*}"
	"avenrun|\`avenrun[0] < 200 * 2048 && \`avenrun[2] < 200 * 2048"
	"cad_pid|\`cad_pid->numbers[0].nr == 1"
	"high_memory|(uint64_t)\`high_memory > 0xff00000000000000"
	"init_mm|\`init_mm.start_code > 0xffffffff00000000"
	"init_task|\`init_task.pid == 0 && stringof(\`init_task.comm) == \"swapper/0\""
	"init_uts_ns|stringof(\`init_uts_ns.name.release) == \"$(uname -r)\""
	"jiffies|\`jiffies > 0"
	"jiffies_64|(int64_t)(\`jiffies - \`jiffies_64) < 10 && (int64_t)(\`jiffies_64 - \`jiffies) < 10"
	"linux_banner|strstr(stringof(\`linux_banner), \"Linux version $(uname -r)\") != NULL"
	"linux_proc_banner|strstr(stringof(\`linux_proc_banner), \"%s version %s\") != NULL"
	"loops_per_jiffy|\`loops_per_jiffy / (500000 / 250) == $bogomips"
	"max_low_pfn|\`max_low_pfn >= ${pages%.*}"
	"max_pfn|\`max_pfn >= ${pages%.*}"
	"min_low_pfn|\`min_low_pfn < ${pages%.*}"
	"modules|(uint64_t)\`modules.next > 0xff00000000000000 && (uint64_t)\`modules.next->prev == (uint64_t)&\`modules"
	"nr_cpu_ids|\`nr_cpu_ids >= $(nproc) && \`nr_cpu_ids <= 8192"
	"nr_threads|\`nr_threads > 10 && \`nr_threads < 10000"
	"panic_timeout|\`panic_timeout == $(cat /proc/sys/kernel/panic)"
	"pid_max|\`pid_max == $(cat /proc/sys/kernel/pid_max)"
	"saved_command_line|stringof(\`saved_command_line) == \"$boot\""
	"super_blocks|(uint64_t)\`super_blocks.next->prev == (uint64_t)&\`super_blocks"
	"system_state|\`system_state > 0 && \`system_state < 10"
	"total_forks|\`total_forks >= $forks && \`total_forks < $forks + 100"
	"totalreserve_pages|\`totalreserve_pages > 0 && \`totalreserve_pages < ${pages%.*}"
)
n=0
{
	for row in "${rows[@]}"; do
		name=${row%%|*}
		grep -q "^KVAR(\"$name\"," include/dtx/tables/kvars.def || fail "$name is no row"
		grep -qE "^[0-9a-f]+ [A-Za-z] $name\$" /proc/kallsyms || { echo "$name is not in this kernel" >&2; continue; }
		n=$((n + 1))
		echo "BEGIN { printf(\"$name %d\n\", ${row#*|}); }"
	done
	echo "BEGIN { printf(\"$n\n\"); exit(0); } ERROR { printf(\"fault\n\"); }"
	[ $n -ge 15 ] || fail "this kernel knows $n of them"
} >"$tmp/all.d"
dtx -qx strsize=512 -s "$tmp/all.d"
! grep -vE ' 1$' "$tmp/out" | grep -vx "[0-9]*" || fail "not what /proc says"
[ "$(grep -c ' 1$' "$tmp/out")" = "$(grep -x '[0-9]*' "$tmp/out" | grep .)" ] || fail "not all are read: $(cat "$tmp/out")"
