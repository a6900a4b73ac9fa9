/* SPDX-License-Identifier: BSD-2-Clause */
/* A pointer does not say how much is behind it. */
BEGIN { printf("%r", buf(curthread)); exit(0); }
