// SPDX-License-Identifier: BSD-2-Clause
// The first instruction of _start has more than one byte.
// needs: uprobes
// trigger: sleeper 0 0 0
pid$target:a.out:_start:1 { exit(0); }
