// SPDX-License-Identifier: BSD-2-Clause
// The head of a file is no code.
// needs: uprobes
// trigger: sleeper 0 0 0
pid$target:a.out:-:1 { exit(0); }
