// SPDX-License-Identifier: BSD-2-Clause
// A place in a function is entry, return or an offset.
// needs: uprobes
// trigger: sleeper 0 0 0
pid$target:a.out:main:entrance { exit(0); }
