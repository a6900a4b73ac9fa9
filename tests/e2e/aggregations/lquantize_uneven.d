/* SPDX-License-Identifier: BSD-2-Clause */
/* A range that the step does not divide ends at the last whole step. */
#pragma D option quiet
BEGIN { @ = lquantize(5, 0, 25, 10); @ = lquantize(19, 0, 25, 10); @ = lquantize(21, 0, 25, 10); exit(0); }
