/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.h - the running kernel: its abilities, the rights of this process, bpf(2)
 * and perf_event_open(2), and the environment that holds all this.
 *
 * runtime/kernel/ includes names.h, types.h and base.
 */
#ifndef DTX_KERNEL_H
#define DTX_KERNEL_H

#include <dtx/env.h>
#include <dtx/image.h>
#include <dtx/type.h>
#include <dtx/value.h>

/* ---- env.c: the environment of a handle ------------------------------------------------- */

void env_open(struct dtx_env *);                 /* options: defaults, then DTX_OPT_NAME */
void env_close(struct dtx_env *);
void env_note_numbers(struct dtx_env *);         /* while a machine is described */
/* Like options_set(), with a message for the user. */
int env_set_option(struct dtx_env *, const char *name, const char *value);
/* The same without the message: NULL, or why it is not set (in the environment's arena) and
 * *err. */
const char *env_try_option(struct dtx_env *, const char *name, const char *value, int *err);
/* ---- rights.c: capabilities --------------------------------------------------------------- */

bool env_has_cap(u32 cap);                       /* effective; CAP_* of linux/capability.h */
/* BPF was refused: is the limit of locked memory a possible reason?  If so, a failure says
 * it. */
bool env_lock_short(struct dtx_env *);
/* 0, or -EPERM with a message that names the missing capability. */
int env_check_rights(struct dtx_env *);
/* Drops capabilities of the calling thread, permanently; keeps all if destructive actions are
 * allowed. */
/* attaches: user probes, later; opens: events of perf, later */
int env_drop_rights(struct dtx_env *, bool attaches, bool opens);
/* Does the kernel ask for CAP_SYS_ADMIN for all events of perf, and is it missing? */
bool rights_perf_denied(void);
/* The same of the machine that a program is compiled for. */
bool env_perf_denied(struct dtx_env *);
const char *env_lockdown(struct dtx_env *);      /* "integrity", "confidentiality", NULL: none */

/* ---- feature.c --------------------------------------------------------------------------- */
/* env_has() in env.h */
/* While a machine is described: tries all.  false: bpf(2) may not be used. */
bool features_note(struct dtx_env *, bool *trampolines);
/* What was asked so far, a line "can NUMBER ANSWER" for each; and is that still the answer? */
void features_asked(const struct dtx_env *, struct buf *);
bool feature_still(struct dtx_env *, u32 feature, bool yes);
/* Can members of all these arguments (bit n: slot n of the context) be read without a helper? */
bool feature_tp_btf_reads(struct dtx_env *, const char *event, u32 btf_id, u32 btf_obj_id,
			  u32 slots);
/* Does this kernel give a fentry or fexit program of this function all these slots? */
bool feature_trampoline_reads(bool is_return, u32 btf_id, u32 btf_obj_id, u32 slots);

/* ---- bpfsys.c: thin wrappers over bpf(2) and perf_event_open(2) ------------- */
/* Only what libbpf 1.1 lacks.  All return an fd or -errno, close-on-exec. */

struct bpf_link_multi {
	const char **syms;               /* kprobe.multi: names … */
	const u64 *addrs;                /* … or addresses */
	const char *path;                /* uprobe.multi: object */
	const u64 *offsets;
	const u64 *ref_ctrs;             /* uprobe.multi: offsets of USDT semaphores, or NULL */
	const u64 *cookies;
	u32 n;
	s32 pid;                         /* uprobe.multi: 0 all */
	bool retprobe;
	bool session;                    /* kprobe.multi: entry and return */
};
/* fentry.multi, fexit.multi: functions of vmlinux by their BTF ids. */
struct bpf_link_funcs {
	const u32 *btf_ids;
	const u64 *cookies;
	u32 n;
	bool retprobe;
};
int sys_link_tracing_multi(int prog_fd, const struct bpf_link_funcs *);
int sys_link_kprobe_multi(int prog_fd, const struct bpf_link_multi *);
int sys_link_uprobe_multi(int prog_fd, const struct bpf_link_multi *);
/* Calls fn for each place in a file where a BPF program of any process is attached; needs root. */
void sys_each_uprobe(void (*fn)(void *arg, const char *path, u64 off), void *arg);
/* nopcall.c: does a probe on a nop of five bytes become a call, which writes to the red zone? */
bool sys_nops_become_calls(void);
/* The same of a nop of ten bytes: its call does not write there. */
bool sys_long_nops_become_calls(void);
int sys_link_tracing(int prog_fd, u64 cookie);                   /* fentry, fexit, tp_btf */
int sys_link_raw_tp(int prog_fd, const char *name, u64 cookie);
int sys_link_iter(int prog_fd);
int sys_iter_create(int link_fd);                /* reading it runs the iteration */
int sys_link_perf(int prog_fd, int perf_fd, u64 cookie);         /* -EINVAL where missing */
/* memlimit.c: bytes that what grows may have; *limited: by a memory group of dtx. */
u64 env_memory(bool *limited);
u64 env_memory_left(void);       /* bytes of the group that are free now, with some to spare */
/* kprobe/uprobe through the dynamic PMU: path or function in `target`; ref_ctr: offset of a
 * USDT semaphore (16 bits) in the file, 0 none. */
int sys_perf_probe(const char *pmu, bool ret, const char *target, u64 off, u64 ref_ctr, s32 pid);
/* ownprobe.c: a uprobe at code of dtx, for the calling thread alone; an fd or -errno. */
int sys_probe_own(const void *at, bool ret);
/* Disabled, for a program: that runs anyway, on each CPU, and the event itself costs nothing. */
int sys_perf_tracepoint(u64 event_id);
int sys_perf_timer(u64 period_ns, int cpu);                      /* software cpu-clock, disabled */
/* Any perf event, one sample every `period`; pid 0: the caller, -1: all (then a CPU). */
int sys_perf_event(u32 type, u64 config, u64 period, int cpu, s32 pid);
struct perf_event_attr;
int sys_perf_open(struct perf_event_attr *, s32 pid, int cpu);   /* fills in the size */
struct perf_event_mmap_page;
/* Records of what is mapped, and with `comm` of names and exec, in a ring that wakes nobody: *page
 * is its head, `size` bytes with it; munmap() and close() end it.  The event, or -errno. */
int sys_perf_mappings(s32 pid, int cpu, bool comm, size_t size, struct perf_event_mmap_page **page);
/* Runs a raw_tp program once (BEGIN, END), on the given CPU or the current one (-1). */
int sys_test_run(int prog_fd, int cpu);
/* The same with two arguments; *result: what the program returned. */
int sys_test_run_args(int prog_fd, u64 arg0, u64 arg1, u32 *result);

/* ---- kmem.c: words of the kernel's memory --------------------------------------------- */

int kmem_open(void);                             /* an fd, to be closed; -errno */
/* 8 bytes at the address, 0 if they cannot be read; address 0: the calling thread's struct
 * task_struct, its address. */
u64 kmem_read(int fd, u64 addr);

/* ---- trapprice.c: what a probe takes from the program that it is in ---------------------- */

/* TRAP_NOP: the kernel does the instruction there itself, and steps over no copy of it. */
enum trap { TRAP_NOP, TRAP_USER, TRAP_USER_RETURN, TRAP_KERNEL, TRAP_KERNEL_RETURN, TRAPS };

/* Opens a probe to measure with, while there are the rights to; -errno. */
int trap_open(enum trap);
/* ns that a probe takes from what it is in, without its program; closes the fd.  0: unknown. */
u64 trap_price(enum trap, int fd);

/* ---- ticker.c: programs run by timers ------------------------------------------------- */

struct ticker;
/*
 * Runs `prog` every `period` ns on the CPU (-1: any) after *t is started.  Creates *t if it is
 * NULL.  0 or -errno.
 */
int ticker_add(struct ticker **t, int cpu, s64 period, int prog);
int ticker_start(struct ticker *);               /* NULL is fine; 0 or -errno */
void ticker_free(struct ticker *);               /* afterwards no program runs; NULL is fine */

#endif
