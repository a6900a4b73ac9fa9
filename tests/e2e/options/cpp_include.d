/* SPDX-License-Identifier: BSD-2-Clause */
// row: flag.I
/* A preprocessed script may include a C header for its types and constants. */
/* needs: cpp */
/* run: -C */
#pragma D option quiet
#include <linux/types.h>
#include <linux/sockios.h>
BEGIN { printf("%d %d\n", SIOCGIFNAME == 0x8910, sizeof(__u16)); exit(0); }
