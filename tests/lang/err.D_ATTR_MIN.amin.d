/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -x amin=Evolving/Evolving/Common */
BEGIN { trace(curthread->pid); exit(0); }
