/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.h - loading the object into the kernel; explaining refusals of the
 * verifier.
 *
 * runtime/load/ includes attach.h, kernel.h, names.h, types.h and base.
 */
#ifndef DTX_LOAD_H
#define DTX_LOAD_H

#include <dtx/base.h>
#include <dtx/abi.h>
#include <dtx/image.h>

struct attach;
struct bpf_object;
struct dtx_env;

/* ---- load.c: loading the object into the kernel --------------------------- */

struct loaded {
	struct dtx_env *env;
	struct img *img;
	struct arena *arena;             /* lives as long as the session */
	struct attach *at;               /* for functions that the kernel refuses at loading */
	struct bpf_object *obj;          /* NULL: not loaded */
	struct dtx_ctl *ctl;             /* the program's control block, mapped */
	struct load *load;               /* for copies of programs */
	struct stacktake *stacks;        /* the program's tables of stacks; NULL: not started */
	VEC(int) prog_fds;               /* programs not in the object, to be closed */
	struct buf log;                  /* the verifier's (option bpflog) */
	u64 most_bytes;                  /* of its maps, 0: no limit … */
	const char *most_where;          /* … and where that is written */
	const char *ends_where;          /* the owner's limit of its duration, or NULL */
	u64 files_before; /* soft limit of open files when dtx started, 0: it was not
			     raised */
};

/* walltimestamp is the time of day as it is set now. */
static inline void load_set_clock(struct loaded *ld)
{
	ld->ctl->wall_offset = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
}

/*
 * Opens img->elf from memory with libbpf, sizes the maps, loads.  A refusal by the
 * verifier becomes a diagnostic at the D line; the option bpflog prints its log.
 * load_prog_fd: the program's fd; for IDENT_ONE programs with several probes, `probe`
 * (index into img->probes) selects the copy; it is made on demand from the relocated
 * instructions with DTX_PROBE_MAGIC patched.
 */
int load_object(struct loaded *);
int load_prog_fd(struct loaded *, u32 prog, u32 probe);
int load_map_fd(struct loaded *, const char *map);
int load_role_fd(struct loaded *, u32 role); /* the one map of this role (maprole.h) */
/* Of the unwind tables: each is a map, and is written in place. */
#define LOAD_TABLE_FLAGS  (BPF_F_INNER_MAP | BPF_F_MMAPABLE)
void load_free(struct loaded *);            /* unmaps, unloads */
/* loadcheck.c: 0, or -errno with a failure. */
int load_check_needs(struct loaded *, bool failed);      /* failed: loading failed */
int load_check_options(struct loaded *);
int load_check_data(struct loaded *);
int load_check_memory(struct loaded *);
int load_check_bytes(struct loaded *);           /* sizes are set: is it within most_bytes? */
/* loadshelf.c: maps of maps, sized before loading and filled after it.  0, or -errno with a
 * failure. */
int load_size_shelves(struct loaded *);
int load_fill_shelves(struct loaded *);
/* loadsize.c: sizes of maps. */
#define LOAD_RING_MIN   (64u << 10)              /* bytes */
u32 load_ring_cpus(const struct img *);          /* CPUs that share the ring buffer */
u32 load_ring_bytes(struct loaded *, bool *shrunk);        /* *shrunk: it is less than bufsize */
u32 load_slots(void);                            /* of a keyless aggregation */
bool load_map_grows(struct loaded *, const struct img_map *); /* entries are allocated on demand */
/* 0: as in the image */
u32 load_map_entries(struct loaded *, const struct img_map *, bool grows);

/* ---- refusal.c: the verifier's log explained ------------------------------- */

/* Adds a diagnostic for a program that was loaded for `probe`; returns -EACCES. */
int refusal_explain(struct loaded *, const struct dtx_probe *probe, const char *log);
/* Does the kernel refuse the function to attach to, not the program?  `log` is what libbpf
 * printed. */
bool refusal_of_target(const char *log);
const char *refusal_said(struct loaded *, const char *log);     /* the verifier's last words; "" */

#endif
