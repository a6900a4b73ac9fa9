/* SPDX-License-Identifier: BSD-2-Clause */
/* A number without a unit is nanoseconds. */
profile:99 { exit(0); }
