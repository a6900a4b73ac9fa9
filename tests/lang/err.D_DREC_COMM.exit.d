/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN { self->s = speculation(); commit(self->s); exit(0); }
