/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.printsize
// run: -q -x printsize=8
// filter: ptr
/* What is beyond printsize is a line of dots. */
BEGIN { print(&curthread->tasks); exit(0); }
