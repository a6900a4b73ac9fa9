// SPDX-License-Identifier: BSD-2-Clause
// No process has such a number.
// needs: uprobes
pid99999999999999999999:libc.so.6:malloc:entry { exit(0); }
