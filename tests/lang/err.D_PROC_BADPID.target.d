// SPDX-License-Identifier: BSD-2-Clause
// Without -c and -p $target is 0, which is no process.
// needs: uprobes
pid$target:libc.so.6:malloc:entry { exit(0); }
