/* SPDX-License-Identifier: BSD-2-Clause */
/* Increments that cancel leave three empty rows. */
#pragma D option quiet
BEGIN { @ = quantize(100, 5); @ = quantize(100, -5); exit(0); }
