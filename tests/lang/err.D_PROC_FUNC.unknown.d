// SPDX-License-Identifier: BSD-2-Clause
// The object has no such function.
// needs: uprobes
// trigger: sleeper 0 0 0
pid$target:a.out:nowhere_defined:entry { exit(0); }
