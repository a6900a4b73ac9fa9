/* SPDX-License-Identifier: BSD-2-Clause */
/* The same of a thread. */
BEGIN /self->start[probefunc]/ { exit(0); }
