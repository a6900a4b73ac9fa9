/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * psinfo.d - processes and threads: psinfo_t, lwpsinfo_t, curpsinfo, curlwpsinfo.
 *
 * __has_member() chooses by what the running kernel's types contain.
 */
typedef struct lwpsinfo {
	int pr_flag;
	int pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	ushort_t pr_pctcpu;
	ushort_t pr_pad;
	int64_t pr_start;
	int64_t pr_time;
	char pr_clname[8];
	char pr_name[16];
	int pr_onpro;
	int pr_bindpro;
	int pr_bindpset;
	int pr_lgrp;
} lwpsinfo_t;

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uint32_t pr_uid;
	uint32_t pr_euid;
	uint32_t pr_gid;
	uint32_t pr_egid;
	uintptr_t pr_addr;
	size_t pr_size;
	size_t pr_rssize;
	struct tty_struct *pr_ttydev;
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	int64_t pr_start;
	int64_t pr_time;
	int64_t pr_ctime;
	char pr_fname[16];
	char pr_psargs[80];
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	id_t pr_taskid;
	id_t pr_projid;
	int pr_nzomb;
	id_t pr_poolid;
	id_t pr_zoneid;
	id_t pr_contract;
	lwpsinfo_t pr_lwp;
} psinfo_t;

/* State of a task: bits of what it waits for and of how far its end has come.  Asleep are also threads that are parked
 * (0x40), wait for a lock of real time (0x1000) or are frozen (0x8000; include/linux/sched.h). */
inline long __task_state[struct task_struct *T] =
	(__has_member(struct task_struct, __state) ? T->__state : T->state) | T->exit_state;
inline char __task_pr_state[long S] =
	S & 0x9043 ? 1 : S & 0x0c ? 4 : S & 0xb0 ? 3 : S & 0x300 ? 7 : 2;
inline char __task_pr_sname[long S] =
	S & 0x9043 ? 'S' : S & 0x0c ? 'T' : S & 0xb0 ? 'Z' : S & 0x300 ? 'W' : 'R';
inline int __task_cpu[struct task_struct *T] =
	__has_member(struct task_struct, cpu) ? T->cpu :
	__has_member(struct thread_info, cpu) ? T->thread_info.cpu : -1;

/* What wait() says of a process: SIGNAL_GROUP_EXIT, or the end of its first thread (wait_task_zombie() of the kernel).
 * The reason of proc:::exit, CLD_*; signals that tell of a fault. */
inline int __exit_code[struct task_struct *T] =
	T->signal->flags & 4 ? T->signal->group_exit_code : T->group_leader->exit_code;
inline int __exit_reason[struct task_struct *T] =
	(__exit_code[T] & 0x7f) == 0 ? 1 : __exit_code[T] & 0x80 ? 3 : 2;
inline int __is_fault[int S] = S == 4 || S == 5 || S == 7 || S == 8 || S == 11;

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = __task_state[T] & 0x04 ? 1 : 0;
	pr_lwpid = $__pidns ? __number((uintptr_t)T, 1) : T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = 0;
	pr_state = __task_pr_state[__task_state[T]];
	pr_sname = __task_pr_sname[__task_state[T]];
	pr_pri = T->prio;
	pr_name = T->comm;
	pr_onpro = __task_cpu[T];
};

translator psinfo_t < struct task_struct *T > {
	pr_nlwp = T->signal->nr_threads;
	pr_pid = $__pidns ? __number((uintptr_t)T, 0) : T->tgid;
	pr_ppid = $__pidns ? __number((uintptr_t)T->real_parent, 0) : T->real_parent->tgid;
	pr_pgid = $__pidns ? __number((uintptr_t)T->signal->pids[2], 2) : T->signal->pids[2]->numbers[0].nr;
	pr_sid = $__pidns ? __number((uintptr_t)T->signal->pids[3], 2) : T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_ttydev = T->signal->tty != NULL ? T->signal->tty : (struct tty_struct *)-1;
	pr_fname = T->comm;
	pr_psargs = T->tgid == curthread->tgid && T->mm != NULL ?
		__argtext(T->mm->arg_start, T->mm->arg_end) : stringof(T->comm);
	pr_wstat = 0;
	pr_dmodel = __is_32bit[T->mm] ? 1 : 2;
	pr_taskid = 0;
	pr_projid = 0;
	pr_nzomb = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *>(curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *>(curthread);
