/* SPDX-License-Identifier: BSD-2-Clause */
/* A size letter of C before a conversion that exists: it is the one to keep. */
BEGIN { printf("%hhx", pid); exit(0); }
