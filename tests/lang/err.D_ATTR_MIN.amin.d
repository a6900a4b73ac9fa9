/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.amin
/* run: -x amin=Evolving/Evolving/Common */
BEGIN { trace(curthread->pid); exit(0); }
