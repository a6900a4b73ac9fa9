// SPDX-License-Identifier: BSD-2-Clause
// '-' stands for no object.
// needs: uprobes
// trigger: sleeper 0 0 0
pid$target:-:malloc:entry { exit(0); }
