/* SPDX-License-Identifier: BSD-2-Clause */
// row: flag.C opt.cpp
/* -C runs the preprocessor with -D and -U. */
/* needs: cpp */
/* run: -C -D N=5 -D EXTRA -U EXTRA */
#pragma D option quiet
#define TWICE(x) ((x) * 2)
#ifdef EXTRA
#define WORD "extra"
#else
#define WORD "plain"
#endif
#if __SUNW_D && defined(__linux)
BEGIN { printf("%d %s %d\n", TWICE(N + 1), WORD, __SUNW_D); exit(0); }
#endif
