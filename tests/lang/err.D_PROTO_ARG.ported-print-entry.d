/* SPDX-License-Identifier: BSD-2-Clause */
/* One entry of a map. */
BEGIN { @a[1] = count(); print(@a[1]); exit(0); }
