// SPDX-License-Identifier: BSD-2-Clause
// There is no such process.
// needs: uprobes
pid99999999:libc.so.6:malloc:entry { exit(0); }
