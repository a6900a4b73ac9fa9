/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes that DTrace has elsewhere and that are not here: the reason is told. */
lockstat:::spin-acquire, fpuinfo:::fpu_sim_fadds { }
