/* SPDX-License-Identifier: BSD-2-Clause */
/* probe is a variable that cannot be set. */
BEGIN { probe = 1; exit(0); }
