/* SPDX-License-Identifier: BSD-2-Clause */
/* strstr() is a string in D. */
BEGIN { printf("%d", strstr("ab", "b")); exit(0); }
