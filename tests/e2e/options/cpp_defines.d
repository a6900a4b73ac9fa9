/* SPDX-License-Identifier: BSD-2-Clause */
// row: flag.D flag.U opt.define
/* needs: cpp */
/* run: -C -DFOO=7 */
#pragma D option quiet
#define TWICE(x) ((x) * 2)
#ifdef __linux
BEGIN { printf("%d %d %d\n", FOO, TWICE(21), __SUNW_D); exit(0); }
#endif
