/* SPDX-License-Identifier: BSD-2-Clause */
/* A timer with a colon. */
tick:1s { exit(0); }
