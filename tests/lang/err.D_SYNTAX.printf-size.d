/* SPDX-License-Identifier: BSD-2-Clause */
/* A size letter of C that D does not have. */
BEGIN { printf("%zu", pid); exit(0); }
