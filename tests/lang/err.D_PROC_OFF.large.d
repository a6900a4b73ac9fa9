// SPDX-License-Identifier: BSD-2-Clause
// The offset lies outside of the function.
// needs: uprobes
// trigger: sleeper 0 0 0
pid$target:a.out:main:fffff { exit(0); }
