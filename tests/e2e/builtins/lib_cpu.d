/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.curcpu var.cpu var.chip names.sched
/* curcpu, cpu, pset, chip, lgrp. */
#pragma D option quiet
BEGIN { printf("%d %d %d %d\n", curcpu->cpu_id == cpu, pset, chip, lgrp); exit(0); }
