/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.h - private header of runtime/, one section a file.
 *
 * The runtime begins with an image (ELF object and manifest) and ends with text
 * on a stream.  It needs no LLVM and no part of the compiler.
 */
#ifndef DTX_RUNTIME_H
#define DTX_RUNTIME_H

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

#include <dtx/base.h>
#include <dtx/abi.h>
#include <dtx/diag.h>
#include <dtx/env.h>
#include <dtx/image.h>
#include <dtx/provider.h>
#include <dtx/type.h>
#include <dtx/value.h>

struct bpf_object;
struct ring_buffer;

/* ---- session.c: one run of an image ------------------------------------- */

enum session_state { SES_IDLE, SES_LOADED, SES_ATTACHED, SES_ACTIVE, SES_DRAINING, SES_DONE };

struct session_refusal {
	const struct dtx_probe *probe;
	const char *reason;
};

/* A program attached to probes of one provider. */
struct session_attached {
	int prog_fd;
	u32 prog;                        /* index into img->progs */
	const struct dtx_probe **probes; /* in the session's arena */
	u32 nprobes;
	u32 link, nlinks;                /* its part of link_fds */
	bool off;                        /* detached early: option maxoverhead */
};

/* A perf event that fires by period: how often it should have is known when it is over. */
struct session_sampled {
	int fd;                          /* the event; -1: over */
	u32 probe, link;                 /* indices into img->probes and link_fds */
	u64 period;                      /* ns of a clock, else events */
	u64 since;                       /* CLOCK_MONOTONIC, ns: a clock's; 0: it counts events */
};

struct dtx_session {
	struct dtx_env *env;
	struct img *img;
	struct arena *arena;             /* as long as the session */
	enum session_state state;
	struct bpf_object *obj;
	struct dtx_ctl *ctl;             /* the program's control block, mapped */
	u64 files_before;                /* soft limit of open files that dtx was started with, 0: it was not raised */
	VEC(int) prog_fds;               /* every loaded program, for closing */
	VEC(int) link_fds;               /* closing one detaches it */
	VEC(struct session_attached) attached;
	VEC(struct session_sampled) sampled;
	bool lost;                       /* something was, when it is over */
	u64 abandoned;                   /* 1 + records not looked at: the user was impatient */
	VEC(struct session_refusal) refused;
	VEC(const char *) attach_notes;  /* -v: "fbt:::entry: 12 functions by kprobe.multi" */
	struct ring_buffer *rb;
	struct load *load;               /* load.c: what copies of programs need */
	struct loop *loop;
	struct overhead *overhead;       /* option maxoverhead, or NULL */
	struct consumer *con;
	struct target **targets;         /* of -c and -p; the handle's */
	u32 ntargets;
	struct walk *walk;               /* NULL: no iter probe */
	struct ticker *ticker;           /* NULL: no provider has asked for timers */
	s32 exit_status;
	struct buf log;                  /* the verifier's (option bpflog) */
	u64 attach_ns;                   /* how long attaching took */
	u32 unattached;                  /* probes not tried: the user interrupted */
	bool foretold;                   /* that attaching will take long */
	s32 remover;                     /* process that removes the links, 0: none */
	u32 removed;                     /* how many */
	volatile sig_atomic_t by_key;    /* interrupted from the keyboard */
};

struct dtx_session *session_new(struct dtx_env *, struct img *);
void session_free(struct dtx_session *);         /* closes all; NULL is fine */
int session_load(struct dtx_session *);          /* maps sized, programs verified */
int session_attach(struct dtx_session *);        /* all probes attached, state IDLE */
int session_go(struct dtx_session *);            /* BEGIN, then ACTIVE */
int session_stop(struct dtx_session *);          /* DRAINING, detach, END, drain, final print */
int session_drain(struct dtx_session *);         /* read what there is; -EINTR: interrupted */
int session_data_fd(const struct dtx_session *); /* readable when there is data; -1 none */
void session_detach_one(struct dtx_session *, u32 attached);     /* before the end, for good */
/* For provider attach(): keep a link fd; note a site that cannot be attached; tell -v. */
void session_keep(struct dtx_session *, int link_fd);
void session_refuse(struct dtx_session *, const struct dtx_probe *, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
void session_note(struct dtx_session *, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The first one attached that runs the same program: probes of several providers may share one, and its counters. */
u32 session_same_prog(const struct dtx_session *, u32 attached);
/* "syscall::read:entry", "fbt:vmlinux:tcp_*:entry (12 probes)"; in the session's arena. */
const char *session_attached_name(struct dtx_session *, const struct session_attached *);

/* ---- pace.c: attaching and detaching that take long -------------------------------- */

bool pace_interrupted(const struct dtx_session *);       /* attach no more */
/* `done` of `all` are attached since `began`: tell, once, if the rest takes long. */
void pace_tell(struct dtx_session *, u64 began, u32 done, u32 all, const char *how);
void pace_detach(struct dtx_session *);          /* close all links, in a child if it takes long */
void pace_wait(struct dtx_session *);            /* for the child, not long; say that it goes on */

/* ---- provider/iter.c ---- */
void iter_start(struct dtx_session *);
void iter_stop(struct dtx_session *);            /* waits for the walk to end */

/* ---- ticker.c: tick probes ------------------------------------------------- */

/*
 * For provider attach(): run `prog` every `period` ns from session_go() until the session is
 * detached, whose thread it is; 0 or -errno.
 */
int ticker_add(struct dtx_session *s, s64 period, int prog);
int ticker_start(struct ticker *);               /* NULL is fine; 0 or -errno */
void ticker_free(struct ticker *);               /* no program runs after it; NULL is fine */

/* ---- load.c: the object into the kernel ----------------------------------- */

/*
 * Opens img->elf with libbpf from memory, sizes the maps, loads.  A refusal by the
 * verifier becomes a diagnostic at the D line; the option bpflog prints its log.
 * load_prog_fd: the program's fd; for IDENT_ONE programs with several probes, `probe`
 * (index into img->probes) selects the copy, made on demand from the relocated
 * instructions with DTX_PROBE_MAGIC patched.
 */
int load_object(struct dtx_session *);
int load_prog_fd(struct dtx_session *, u32 prog, u32 probe);
int load_map_fd(struct dtx_session *, const char *map);
void load_free(struct dtx_session *);            /* unmaps, unloads */
/* loadcheck.c: 0, or an error with a sentence. */
int load_check_needs(struct dtx_session *);
int load_check_options(struct dtx_session *);
/* loadsize.c: how large maps are made. */
#define LOAD_RING_MIN   (64u << 10)              /* bytes */
u32 load_ring_cpus(const struct img *);          /* processors that share the ring buffer */
u32 load_ring_bytes(struct dtx_session *, bool *shrunk);        /* less than bufsize says: *shrunk */
u32 load_slots(void);                            /* of a keyless aggregation */
bool load_map_grows(struct dtx_session *, const struct img_map *);     /* entries are allocated on demand */
u32 load_map_entries(struct dtx_session *, const struct img_map *, bool grows);        /* 0: as the image says */

/* ---- refusal.c: the verifier's log explained ------------------------------- */

/* Adds a diagnostic for a program that was loaded for `probe`; returns -EACCES. */
int refusal_explain(struct dtx_session *, const struct dtx_probe *probe, const char *log);
/* Is the function the program was made for what the kernel refuses, and not the program?  What libbpf printed. */
bool refusal_of_target(const char *log);

/* ---- bpfsys.c: thin wrappers over bpf(2) and perf_event_open(2) ------------- */
/* Everything libbpf 1.1 lacks.  All return an fd or -errno, close-on-exec. */

struct bpf_link_multi {
	const char **syms;               /* kprobe.multi: names … */
	const u64 *addrs;                /* … or addresses */
	const char *path;                /* uprobe.multi: object */
	const u64 *offsets;
	const u64 *ref_ctrs;             /* uprobe.multi: offsets of counters of users, or NULL */
	const u64 *cookies;
	u32 n;
	s32 pid;                         /* uprobe.multi: 0 all */
	bool retprobe;
};
int sys_link_kprobe_multi(int prog_fd, const struct bpf_link_multi *);
int sys_link_uprobe_multi(int prog_fd, const struct bpf_link_multi *);
int sys_link_tracing(int prog_fd, u64 cookie);                   /* fentry, fexit, tp_btf */
int sys_link_raw_tp(int prog_fd, const char *name, u64 cookie);
int sys_link_iter(int prog_fd);
int sys_iter_create(int link_fd);                /* reading it walks */
int sys_link_perf(int prog_fd, int perf_fd, u64 cookie);         /* -EINVAL where missing */
/* kprobe/uprobe through the dynamic PMU: path or function in `target`; ref_ctr: offset in the
 * file of a 16-bit counter of users, 0 none. */
int sys_perf_probe(const char *pmu, bool ret, const char *target, u64 off, u64 ref_ctr, s32 pid);
int sys_perf_tracepoint(u64 event_id, int cpu, s32 pid);
int sys_perf_timer(u64 period_ns, int cpu);                      /* software cpu-clock, disabled */
/* Any perf event, counted every `period`; pid 0: the caller, -1: all (then a CPU). */
int sys_perf_event(u32 type, u64 config, u64 period, int cpu, s32 pid);
struct perf_event_attr;
int sys_perf_open(struct perf_event_attr *, s32 pid, int cpu);   /* fills in the size */
/* Run a raw_tp program once (BEGIN, END), on one CPU or wherever we are (-1). */
int sys_test_run(int prog_fd, int cpu);

/* ---- consumer.c: ring buffer records and aggregations to a sink ------------- */

struct consumer;

struct consumer *consumer_new(struct dtx_session *, FILE *out);
void consumer_free(struct consumer *);
/* One record of the ring buffer.  Non-zero: stop reading (impatient, broken pipe). */
int consumer_record(struct consumer *, const void *data, size_t size);
void consumer_flush(struct consumer *);
void consumer_drops(struct consumer *);          /* report losses since the last call */
void consumer_finish(struct consumer *);         /* newline and unprinted aggregations */
void consumer_newline(struct consumer *);        /* after an echoed ^C */
int consumer_error(const struct consumer *);     /* first write error, 0 if none; EPIPE … */

/* Shared by consumer.c and action.c. */
struct consumer {
	struct dtx_session *s;
	struct out out;
	FILE *first;                     /* output at start; freopen("") returns to it */
	FILE *messages;                  /* faults, losses: stderr unless changed */
	struct arena *arena;             /* as long as the consumer */
	struct arena *rows;              /* aggregation rows of the current record, or NULL */
	struct site_state *sites;        /* one a site of the image, made on first use */
	struct aggs *aggs;
	struct agg_fresh { u64 record, batch, time; } *fresh;  /* when each aggregation was read */
	u64 events;                      /* records of probes other than BEGIN, END, ERROR */
	u64 record, batch;               /* numbers of the current record and batch, from 1 */
	struct specs *specs;             /* speculate.c: what is held back, or NULL */
	struct recorder *recorder;       /* recorder.c: bufpolicy=ring, or NULL */
	u64 *drops;                      /* DTX_DROP_N per CPU, as last reported */
	u64 skipped, missed;             /* firings the kernel skipped, as last reported */
	u64 limited;                     /* profile probes of which that was told */
	struct losses *losses;           /* loss.c */
	u64 lost;                        /* records, in the last interval */
	u64 malformed;                   /* records that made no sense */
	bool stop;                       /* write error: read no further */
};

/* Message on stderr with the tool's name in front. */
void consumer_warn(struct consumer *, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "error in dt_clause_…": `detail` NULL or "" is left out, pc < 0 too. */
void consumer_fault(struct consumer *, const struct img_site *, const struct dtx_probe *,
		    const char *text, const char *detail, s64 pc);
/* A record now: faults told, speculative ones held.  consumer_one: printed whatever it is. */
void consumer_take(struct consumer *, const void *data, size_t size);
void consumer_one(struct consumer *, const void *data, size_t size);
void consumer_snapshot(struct consumer *, u32 agg);      /* aggs_snapshot(), with a message */
void consumer_output(struct consumer *, FILE *);         /* flushes; closes the old one */

/* ---- drop.c: losses -------------------------------------------------------------- */

/* Kinds of loss: enum dtx_drop, which programs count, and these. */
enum loss {
	LOSS_SKIPPED = DTX_DROP_N,       /* a program interrupted a program */
	LOSS_MISSED,                     /* kernel probes: recursion, no return slot */
	LOSS_LIMITED,                    /* profile: the kernel's limit on samples is lower */
	LOSS_SAMPLES,                    /* of perf events, not taken: throttled, late, on an idle CPU */
	LOSS_FAULT,                      /* a clause that faulted: its record */
	LOSS_MALFORMED,
	LOSS_ABANDONED,                  /* not read: the user interrupted twice */
	LOSS_UNREAD,                     /* aggregations the kernel did not give */
	LOSS_DETACHED,                   /* probes given up for the option maxoverhead */
	LOSS_N
};

/* `last`: also what is no loss of records but of parts of them. */
void consumer_report_drops(struct consumer *, bool last);
/* What the kernel skipped since the last time; before links are closed. */
void consumer_report_skips(struct consumer *);
void consumer_report_samples(struct consumer *); /* when no program runs any more */
const char *drop_words(u32 loss, u64 n);         /* "drop", "drops", … */

/* ---- loss.c: the account of all losses, by probe ---------------------------------- */

struct losses;

struct losses *loss_new(const struct img *);
void loss_free(struct losses *);                 /* NULL is fine */
/* Adds the programs' counters to now[CPU * DTX_DROP_N + reason]; false: there are none. */
bool loss_read(struct consumer *, u64 *now);
void loss_kernel(struct consumer *, u64 *skipped, u64 *missed);  /* totals of the run */
/* The events of these links are over: what they should have given is kept, for loss_samples(). */
void loss_end_samples(struct consumer *, u32 link, u32 nlinks);
u64 loss_samples(struct consumer *);             /* samples not taken; when no program runs any more */
u64 loss_limited(struct consumer *);             /* profile probes that the kernel limits, not yet told */
void loss_of_probe(struct consumer *, u32 probe, enum loss);
void loss_other(struct consumer *, enum loss, u64 n);
bool loss_any(const struct consumer *);
void loss_account(struct consumer *);            /* a message for each probe that lost something */

/* ---- speculate.c, recorder.c: records that wait ------------------------------------- */

bool spec_hold(struct consumer *, u32 tag, const void *data, size_t size);
/* Print what was held for the speculation (commit), or drop it (discard); 0: nothing. */
void consumer_commit(struct consumer *, u32 tag, bool print);
void spec_recover(struct consumer *);            /* after losses */
void spec_free(struct consumer *);

struct recorder *recorder_new(u64 bufsize, u32 ncpus);
void recorder_free(struct recorder *);           /* NULL is fine */
void recorder_add(struct recorder *, const void *data, size_t size);
void recorder_replay(struct recorder *, struct consumer *);

/* ---- action.c: consumer-side actions, in record order ------------------------- */

struct action_row;

/* Reused from record to record: no allocation once a site was seen. */
struct site_state {
	struct event ev;
	const struct action_row **rows;  /* one an action */
	struct item *shown;              /* items that go to the sink */
	struct buf *text;                /* one an action: formatted text */
};

const struct action_row *action_find(const char *name);
void action_event(struct consumer *, struct site_state *);

/* ---- pcap.c: packet capture files ---------------------------------------------------- */

struct pcap_packet {
	const char *data;
	u32 captured, len;
	s64 time;                        /* ns since 1970 */
	u32 link;                        /* D's PCAP_* */
};
/* Adds it to the file, with a header when the file is no capture yet.  0 or an error (errno). */
int pcap_write(FILE *, const struct pcap_packet *, u32 snaplen);

/* ---- decode.c ----------------------------------------------------------------- */

/*
 * Bytes of a record to an event, in the arena.  false: malformed (never trusted).
 * `out` is zeroed, or an earlier event of the same site whose memory is used again.
 * Text and bytes point into the record.
 */
bool decode_event(struct dtx_session *, struct arena *, const void *data, size_t size,
		  struct event *out);
/* One field of a record (base = record, tails allowed) or of a key (base = key). */
bool decode_field(struct dtx_session *, struct arena *, const struct img_field *, const u8 *base,
		  size_t size, bool in_key, struct val *out);

#include "runtime/value/agg.h"

/* ---- printf.c ------------------------------------------------------------------------ */

/* Run a checked format over values (d-builtins §10).  printa: the aggregations, and a row of them; else NULL. */
void printf_run(struct dtx_env *, const struct img_conv *, u32 nconvs, const struct val *vals,
		u32 nvals, const struct agg_print *, const struct agg_row *, struct buf *out);

/* ---- print.c ------------------------------------------------------------------------- */

/* DTrace's text of print(): the object at `addr`, `len` bytes of type `ctype` captured. */
/* The name of a value of an enumeration, or of its bits ("A|B|0x40"). */
void print_names(const struct type *, u64 value, struct buf *out);
void print_object(struct dtx_env *, const struct img_field *, u64 addr, const void *data, size_t len,
		  struct buf *out);

/* ---- imgtype.c: types in the manifest ---- */

bool imgtype_valid(const struct img_type *, u32 index);
void imgtype_build(struct arena *, struct img *);

/* ---- target.c: -c and -p ------------------------------------------------------------- */

struct target;

/* Forks and stops the command where evaltime.c says (ptrace, released later). */
struct target *target_run(struct dtx_env *, const char *cmd);
struct target *target_grab(struct dtx_env *, pid_t pid);
int target_resume(struct target *);
int target_pidfd(const struct target *);         /* readable when it ended, -1 none */
bool target_ended(struct target *, const char **how);    /* "exited with status 1" … */
void target_free(struct target *);               /* kills a -c child that still runs */

/* ---- filter.c: -p, --follow, --cgroup ------------------------------------------------- */

u32 filter_pidns(void);                          /* inode of dtx's pid namespace; 0: the first */
/* Can the filters that are asked for be had?  Sets env->target_only. */
int filter_check(struct dtx_env *, bool grabbed);
int filter_start(struct dtx_session *);          /* before anything is attached */

/* ---- evaltime.c: where a -c command waits -------------------------------------------------- */

struct evaltime {
	u64 addr;                /* of the breakpoint; 0: there is none */
	long word;               /* what it covers */
};
/* At the exec stop of pid: a breakpoint for the option's value.  false: this is the place. */
bool evaltime_set(struct evaltime *, pid_t, const char *when);
/* A SIGTRAP of pid: was it the breakpoint?  Then that is gone and pid stands where it was. */
bool evaltime_hit(struct evaltime *, pid_t);

/* ---- loop.c: epoll over ring buffer, timers, target, wake-ups -------------------------- */

struct loop;

struct loop *loop_new(struct dtx_session *);
void loop_free(struct loop *);
int loop_run(struct loop *);                     /* until exit(), interrupt or the target's end */
void loop_interrupt(struct loop *);              /* async-signal-safe */
int loop_interrupts(const struct loop *);        /* how often that was called */

/* ---- overhead.c: the option maxoverhead ---------------------------------------------- */

#define OVERHEAD_PERIOD  500000000LL     /* ns between looks */

struct overhead;

struct overhead *overhead_new(struct dtx_session *);     /* probes are attached; NULL with a sentence */
void overhead_free(struct overhead *);                   /* NULL is fine */
/* Detaches the dearest program if all take too much.  true: it was the last one. */
bool overhead_look(struct overhead *);

/* ---- env.c: the environment of a handle ------------------------------------------------- */

void env_open(struct dtx_env *);                 /* options: defaults, then DTX_OPT_NAME */
void env_close(struct dtx_env *);
/* Like options_set(), with a sentence for the user. */
int env_set_option(struct dtx_env *, const char *name, const char *value);
bool env_has_cap(u32 cap);                       /* effective; CAP_* of linux/capability.h */
/* Where BPF is refused: may it be for want of memory that can be locked? Then a sentence says so. */
bool env_lock_short(struct dtx_env *);
/* 0, or -EPERM with a sentence that names the missing capability. */
int env_check_rights(struct dtx_env *);
/* The calling thread's, for good; all are kept when destructive actions are allowed. */
int env_drop_rights(struct dtx_env *);

/* ---- provider/list.c: -l and -lv; the rest of it is in dtx/handle.h ------------------------ */

void list_head(struct buf *);                    /* the line above the rows */
/* One probe's row; verbose adds its stability and the names and C types of its arguments. */
void list_row(struct dtx_env *, struct dtx_probe *, bool verbose, struct buf *);

/* ---- feature.c --------------------------------------------------------------------------- */
/* env_has() in env.h */
/* Members of all these arguments (bit n: slot n of the context) can be read without a helper. */
bool feature_tp_btf_reads(u32 btf_id, u32 btf_obj_id, u32 slots);

/* ---- doctor.c: --features and --doctor ------------------------------------------------ */

int doctor_print_features(struct dtx_env *, FILE *);     /* 0, or -EIO */
int doctor_print(struct dtx_env *, FILE *);
const char *doctor_lockdown(struct arena *);             /* "integrity", "confidentiality", NULL: none */

/* ---- sym/: symbols and types -------------------------------------------------------------- */

/* sym/sym.c: what env->sym points to; made on first use, freed by sym_free(). */
struct sym {
	struct btf_src *btf;
	struct ksyms *ksyms;
	struct usyms *usyms;
	struct tracefs *tracefs;
	struct dwarf_src *dwarf;
};
struct sym *sym_get(struct dtx_env *);
void sym_free(struct dtx_env *);                         /* everything of sym/; when the env ends */

/*
 * sym/btf.c: kernel BTF as a type source, lazily read and indexed once.  Opening reads
 * nothing; one per environment, the second btf_src_open() gives the first.  Types live
 * in env->arena, not in the arena of the call, and are shared between calls.
 */
struct btf_src;
struct btf_src *btf_src_open(struct dtx_env *);          /* NULL: no BTF here */
void btf_src_free(struct btf_src *);                     /* sym_free() does it too */
struct type_source *btf_src_types(struct btf_src *);
bool btf_src_used_modules(const struct btf_src *);       /* was anything found in a module? */
/* Id of a FUNC, 0 if unknown; module ("vmlinux") and obj_id (0: vmlinux) may be NULL. */
u32 btf_func_id(struct btf_src *, const char *name, const char **module, u32 *obj_id);
u32 btf_vmlinux_func(struct btf_src *, const char *name);        /* of the kernel proper; 0: it has none */
void btf_expect_many(struct btf_src *);                  /* names will be asked for by the thousand */
/* Id of the typedef btf_trace_NAME, 0 if unknown.  proto (may be NULL): the arguments
 * without the leading void *__data, so that parameter i is context slot i. */
u32 btf_rawtp_id(struct btf_src *, const char *name, struct type **proto, struct arena *);
/* sym/btfcheck.c: is each number in these bytes of BTF what it may be?  NULL, or what is wrong (static). */
const char *btf_check(const void *data, size_t len);
int btf_each_func(struct btf_src *, int (*fn)(void *arg, const char *name, u32 id), void *arg);

/* sym/ksyms.c: /proc/kallsyms, read once on first use, sorted. */
struct ksyms;
struct ksyms *ksyms_get(struct dtx_env *);               /* cached in env; never NULL */
/* Symbol that covers addr: name, module ("vmlinux"), offset.  false: unknown. */
bool ksyms_find(struct ksyms *, u64 addr, const char **name, const char **module, u64 *off);
u64 ksyms_addr(struct ksyms *, const char *module, const char *name);   /* 0: unknown */
u64 ksyms_next(struct ksyms *, u64 addr);        /* address of the next symbol above, 0: none */
/* Text symbols in address order (type t/T/w/W). */
int ksyms_each(struct ksyms *, int (*fn)(void *arg, const char *module, const char *name, u64 addr),
	       void *arg);

/* sym/elf.c: symbols of an ELF object (.symtab, .dynsym; debug file when installed). */
struct elfsyms;
struct elfsym { const char *name; u64 addr, size, file_off; };
struct elfsyms *elfsyms_open(const char *path, const char **err);
void elfsyms_close(struct elfsyms *);
const struct elfsym *elfsyms_at(struct elfsyms *, u64 addr);     /* by virtual address */
const struct elfsym *elfsyms_by_name(struct elfsyms *, const char *name);
int elfsyms_each(struct elfsyms *, int (*fn)(void *arg, const struct elfsym *), void *arg);
/* Virtual address ↔ file offset through the program headers; ~0 if unmapped. */
u64 elfsyms_file_off(struct elfsyms *, u64 addr);
u64 elfsyms_vaddr(struct elfsyms *, u64 file_off);

/* Address of a symbol of any kind; false: there is none of this name. */
bool elfsyms_value(struct elfsyms *, const char *name, u64 *addr);

/* sym/usdt.c: the probes a program has in its ELF notes (sys/sdt.h). */
struct usdt_note {
	const char *prov, *name;         /* as in the source: query__start */
	const char *args;                /* "8@%rdi -4@$5" */
	u64 addr, semaphore;             /* of the site; of its counter of users, 0: none */
};
/* In the arena; the number of notes, 0 when there are none or the file cannot be read. */
u32 usdt_read(struct arena *, const char *path, struct usdt_note **);

/* sym/usyms.c: addresses of a process.  Maps are read when first asked and kept, so
 * that a process that ends later is still known. */
struct usyms;
struct usyms *usyms_get(struct dtx_env *);
/* Object base name ("libc.so.6", "a.out"), symbol (or NULL), offset in it (or in the
 * object).  false: not in any mapping.  `start`: address of the symbol in the process. */
bool usyms_find(struct usyms *, u32 pid, u64 addr, const char **object, const char **sym, u64 *off,
		u64 *start);
void usyms_note(struct usyms *, u32 pid);        /* read the maps of pid now */
/* How well an object fits a name: 3 is it, 2 and 1 begin with it ("libc"), 0 not. */
int object_fits(const char *path, const char *name);
/* Library by name for `uprobe:libc:malloc`: ld.so cache, usual folders.  NULL none. */
const char *sym_library(struct arena *, const char *name);

/* sym/text.c: DTrace's text of addresses (d-builtins §11). */
void sym_kaddr(struct dtx_env *, u64 addr, struct buf *out);              /* module`f+0x1 */
void sym_uaddr(struct dtx_env *, u32 pid, u64 addr, struct buf *out);
void sym_val(struct dtx_env *, const struct val *, struct buf *out);      /* by val->symkind */
/* The block of d-builtins §11: a newline, then each frame indented, on a line of its own. */
/* The whole block: newline, then a line a frame. */
void sym_stack(struct dtx_env *, const struct val *, int indent, struct buf *out);
/* sym/shown.c: numbers that are no addresses (user, error …) by val->symkind; false: it is another kind. */
bool shown_text(const char *kind, u64 v, struct buf *out);
bool shown_is(const char *kind);
const char *filter_cgroup_root(struct arena *);  /* filter.c: mount point of version 2, NULL: none */
/* sym/demangle.c: readable C++, Rust, D or Ada name without parameters; else the name, and false. */
bool sym_demangle(const char *name, struct buf *out);
bool sym_signature(const char *name, struct buf *out);   /* the same with the types of its parameters: ns::f(int) */

/* sym/dwarf.c: types of programs and libraries: the target's executable, objects that were noted. */
struct type_source *dwarf_types(struct dtx_env *);
void dwarf_note(struct dtx_env *, const char *path);
/* Is what was read still there? If not, a diagnostic says so. */
bool dwarf_check(struct dtx_env *);
/* Prototype of the function at a virtual address of the object, NULL: nothing is known. */
struct type *dwarf_function(struct dtx_env *, const char *path, u64 addr, const char *name);

/* sym/tracefs.c: event formats. */
struct tp_field {
	const char *name, *ctype;
	u32 off, size;
	bool is_signed, is_dataloc;
	bool is_relloc;          /* is_dataloc, counted from the end of the field */
	struct type *names;      /* T_ENUM: how the kernel prints the values, or NULL */
};
struct tp_event { const char *group, *name; u32 id; struct tp_field *fields; u32 nfields; };
const char *tracefs_path(struct dtx_env *);              /* NULL: not mounted */
struct tp_event *tracefs_event(struct dtx_env *, const char *group, const char *name);
/* One line of a format, false: it is of no field.  Names in the arena. */
bool tracefs_field(struct arena *, const char *line, struct tp_field *);
int tracefs_each(struct dtx_env *, const char *group_glob, const char *event_glob,
		 int (*fn)(void *arg, const char *group, const char *event), void *arg);

/* ---- arch/x86_64.c: registers, calling convention, system call names ---------------------- */
struct arch_reg { const char *name; u32 off; };
extern const u32 arch_arg_regs[6];               /* offsets in struct pt_regs, function arguments */
extern const u32 arch_syscall_regs[6], arch_compat_regs[6];  /* of 64-bit and of 32-bit system calls */
extern const u32 arch_ret_reg, arch_sp_reg, arch_ip_reg;
long arch_breakpoint(long word);                 /* the word with a breakpoint at its start */
extern const u32 arch_break_size;                /* bytes the program counter is behind it */
const char *arch_syscall_name(u32 nr);           /* NULL: none */
const char *arch_compat_name(u32 nr);            /* of 32-bit programs */
/* A register by its name in assembly ("eax", "r8d", "ah"): its byte in struct pt_regs, the bits
 * below the part that is named.  false: not a general register. */
bool arch_user_reg(const char *name, size_t len, u32 *off, u32 *shift);
/* Bytes of the instruction at `code`, 0: it is none that is known. */
u32 arch_insn_len(const u8 *code, size_t size);
/* Does the kernel set probes on it?  (It must be able to run it elsewhere.) */
bool arch_insn_probed(const u8 *code, u32 len);
/* Does nothing run on behind it (return, jump, breakpoint)? */
bool arch_insn_ends(const u8 *code);
/* Another tracer's kernel probe was put there: where code is a breakpoint, or a jump to *to. */
bool arch_insn_replaced(const u8 *code, u64 addr, u64 *to);
u32 arch_syscall_max(void);

#include "runtime/provider/provider.h"

#endif
