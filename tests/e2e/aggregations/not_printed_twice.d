/* SPDX-License-Identifier: BSD-2-Clause */
/* What printa printed is not printed again at the end. */
#pragma D option quiet
BEGIN { @a = count(); @b = sum(7); printa(@a); exit(0); }
