/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys of 8 and 16 bits are shown as the zero-extended value. */
#pragma D option quiet
BEGIN { @a[(char)-1] = count(); @b[(short)-2] = count(); exit(0); }
