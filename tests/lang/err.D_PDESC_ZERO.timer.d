/* SPDX-License-Identifier: BSD-2-Clause */
/* A rate that is none, and what rates there are. */
profile:us:100 { exit(0); }
