/* SPDX-License-Identifier: BSD-2-Clause */
/* Chosen while tracing: no statement of its own. */
BEGIN { x = 1; x ? @a = count() : 1; exit(0); }
