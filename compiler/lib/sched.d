/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sched.d - CPUs: cpuinfo_t of a CPU number, curcpu; chip, pset, lgrp; flags of run queues.
 */
typedef id_t processorid_t;
typedef id_t psetid_t;
typedef id_t chipid_t;
typedef id_t lgrp_id_t;

typedef struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
} cpuinfo_t;

translator cpuinfo_t < int C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = 0;
	cpu_lgrp = 0;
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *>(cpu);
inline psetid_t pset = 0;
inline lgrp_id_t lgrp = 0;
inline chipid_t chip = 0;

/* ENQUEUE_HEAD (kernel/sched/sched.h); its value changed in Linux 6.19. */
inline int __enqueue_head = __has_member(struct sched_change_ctx, prio) ? 0x10000 : 0x10;
