/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.c - loads the object into the kernel: its maps, programs, control block, copies for probes.
 *
 * libbpf opens the object from memory and relocates it.  The type of a program and its target
 * function are set in libbpf's prepare callback, just before the program is loaded.  If they were
 * set earlier, libbpf would read the kernel's BTF to look up a function whose BTF id is already in
 * the probe.
 * Why: docs/decisions/11-kernel-symbols.md
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <dtx/progkind.h>
#include <dtx/opt.h>
#include <dtx/unwind.h>
#include <dtx/tables/maprole.h>

#include "runtime/load/load.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

#define LOAD_CTL_MAP    ".data.dtxctl"
#define LOAD_LICENSE    "Dual BSD/GPL"
#define LOG_STATS       4 /* BPF_LOG_STATS of include/linux/bpf_verifier.h: time, stack depth */
#define LOAD_OLD_KEY    512 /* bytes of a key, in older kernels: htab_map_alloc_check() */

struct load_prog {
	const struct img_prog *p;
	struct bpf_program *bpf;
	u32 first;                       /* index into p->probes of the probe it is loaded for */
	struct bpf_prog_load_opts opts;  /* as libbpf loaded it, for copies */
	char *log;                       /* log of the verifier, with the option bpflogsize */
	VEC(u32) magic;                  /* instructions that load the probe index */
};

struct load {
	struct loaded *ld;
	struct load_prog *progs;         /* one per program of the image */
	struct load_prog *current;       /* the last one loaded */
	u32 ring_bytes;                  /* 0: by the options */
	bool shrunk;                     /* memory was short */
	struct buf said;                 /* what libbpf printed */
};

/* libbpf's callbacks get no pointer of ours while an object is loaded. */
static __thread struct load *load_now;

static int load_print(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (load_now && level == LIBBPF_WARN)
		buf_vprintf(&load_now->said, fmt, ap);
	else if (load_now && opt_num(load_now->ld->env, OPT_bpflog) &&
		 strstr(fmt, "BEGIN PROG LOAD LOG"))
		buf_vprintf(&load_now->ld->log, fmt, ap);
	return 0;
}

/* Options bpflog and bpflogsize: libbpf shows only the log in its own buffer. */
static void load_want_log(struct load *l, struct load_prog *lp)
{
	u64 size = opt_num(l->ld->env, OPT_bpflogsize);

	if (!opt_num(l->ld->env, OPT_bpflog))
		return;
	bpf_program__set_log_level(lp->bpf, 1 | LOG_STATS);
	if (!size)
		return;
	lp->log = arena_alloc(l->ld->arena, MIN(size, (u64)UINT32_MAX >> 2));
	bpf_program__set_log_buf(lp->bpf, lp->log, MIN(size, (u64)UINT32_MAX >> 2));
}

static void load_show_logs(struct load *l)
{
	for (u32 i = 0; i < l->ld->img->nprogs; i++)
		if (l->progs[i].log && *l->progs[i].log)
			buf_printf(&l->ld->log, "prog '%s':\n%s", l->progs[i].p->name,
				   l->progs[i].log);
}

/* ---- the size of maps ---------------------------------------------------------------- */

/* The kernel needs an example of the maps that a map of maps will hold. */
static int load_inner_map(struct load *l, struct bpf_map *map)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = LOAD_TABLE_FLAGS);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "dtx_table", 4, DTX_UW_CHUNK_BYTES, 1, &opts);

	if (fd < 0)
		return -errno;
	VEC_PUSH(&l->ld->prog_fds, fd);  /* open until the session ends */
	return bpf_map__set_inner_map_fd(map, fd);
}

static int load_size_map(struct load *l, struct bpf_map *map, const struct img_map *m)
{
	bool grows = load_map_grows(l->ld, m);
	u32 n;

	if (m->role == ROLE_aggslots) {
		bpf_map__set_map_flags(map, BPF_F_MMAPABLE);
		return bpf_map__set_value_size(map, m->val_size * load_slots());
	}
	if (m->role == ROLE_tables)
		return load_inner_map(l, map);
	if (grows)
		bpf_map__set_map_flags(map, bpf_map__map_flags(map) | BPF_F_NO_PREALLOC);
	if (m->role == ROLE_ring)
		n = l->ring_bytes =
			l->ring_bytes ? l->ring_bytes : load_ring_bytes(l->ld, &l->shrunk);
	else
		n = load_map_entries(l->ld, m, grows);
	return n ? bpf_map__set_max_entries(map, n) : 0;
}

/* Values are read into buffers of the sizes in the manifest: those in the code must be the same. */
static int load_check_map(struct load *l, const struct bpf_map *map, const struct img_map *m)
{
	u32 key = bpf_map__key_size(map), val = bpf_map__value_size(map);

	if (bpf_map__type(map) == (enum bpf_map_type)m->type && key == m->key_size &&
	    val == m->val_size)
		return 0;
	return dtx_env_fail(
		l->ld->env, -EINVAL,
		"the image is damaged: its manifest and its code disagree about the map %s (type "
		"%u, %u + %u bytes; type %u, %u + %u bytes)",
		m->name, m->type, m->key_size, m->val_size, bpf_map__type(map), key, val);
}

/* Maps of data sections belong to libbpf; every other map has a row in the manifest with its
 * sizes. */
static int load_check_names(struct load *l)
{
	const struct img *img = l->ld->img;
	struct bpf_map *map;

	bpf_object__for_each_map(map, l->ld->obj) {
		u32 i = 0;

		while (i < img->nmaps && strcmp(img->maps[i].name, bpf_map__name(map)))
			i++;
		if (i == img->nmaps && !bpf_map__is_internal(map))
			return dtx_env_fail(
				l->ld->env, -EINVAL,
				"the image is damaged: its manifest does not know the map %s",
				bpf_map__name(map));
	}
	return 0;
}

static int load_size_maps(struct load *l)
{
	const struct img *img = l->ld->img;

	for (u32 i = 0; i < img->nmaps; i++) {
		const struct img_map *m = &img->maps[i];
		struct bpf_map *map = bpf_object__find_map_by_name(l->ld->obj, m->name);
		if (!map)
			continue;        /* unused by the program: the linker left it out */
		int err = load_check_map(l, map, m);
		if (err)
			return err;
		err = load_size_map(l, map, m);
		if (err)
			return dtx_env_fail(l->ld->env, err, "cannot size the map %s: %s", m->name,
					    strerror(-err));
	}
	return 0;
}

/* ---- kernel symbols --------------------------------------------------------------------- */

static int load_ksyms(struct load *l)
{
	const struct img *img = l->ld->img;
	struct bpf_map *map =
		img->nksyms ? bpf_object__find_map_by_name(l->ld->obj, IMG_KSYMS) : NULL;
	u64 *addrs = NULL;
	int err = 0;

	if (!map)
		return 0;
	addrs = xcalloc(img->nksyms, sizeof(*addrs));
	for (u32 i = 0; i < img->nksyms && !err; i++) {
		const struct img_ksym *k = &img->ksyms[i];

		addrs[i] = env_ksym(l->ld->env, k->module, k->name);
		if (!addrs[i] && !opt_num(l->ld->env, OPT_knodefs))
			err = dtx_env_fail(
				l->ld->env, -ENOENT,
				"this kernel has no symbol '%s': compile the program on this "
				"machine",
				k->name);
	}
	if (!err)
		err = bpf_map__set_initial_value(map, addrs, img->nksyms * sizeof(*addrs));
	free(addrs);
	if (err && !diags_failed(&l->ld->env->diags))
		return dtx_env_fail(l->ld->env, err,
				    "cannot set the addresses of kernel symbols: %s",
				    strerror(-err));
	return err;
}

/* ---- programs ---------------------------------------------------------------------------- */

/* Does this instruction load the probe index?  It is a 64-bit immediate, but the
 * optimiser may have kept only its low half. */
static u32 load_magic_width(const struct bpf_insn *in, u32 left)
{
	const u32 low = (u32)DTX_PROBE_MAGIC, high = DTX_PROBE_MAGIC >> 32;
	u8 class = BPF_CLASS(in->code);

	if ((u32)in->imm != low)
		return 0;
	if (in->code == (BPF_LD | BPF_IMM | BPF_DW))
		return left > 1 && !in->src_reg && (u32)in[1].imm == high ? 2 : 0;
	if ((class == BPF_ALU || class == BPF_ALU64) && BPF_OP(in->code) == BPF_MOV)
		return BPF_SRC(in->code) == BPF_K;
	return class == BPF_ST && BPF_MODE(in->code) == BPF_MEM;
}

/* From libbpf 1.4 on, the fd of a map is not available while programs are loaded: look it up by
 * name in the kernel. */
static bool load_is_slots(struct load *l, int fd)
{
	const struct img *img = l->ld->img;
	struct bpf_map_info info = { .type = 0 };
	u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return false;
	for (u32 i = 0; i < img->nmaps; i++)
		if (img->maps[i].role == ROLE_aggslots &&
		    !strncmp(img->maps[i].name, info.name, sizeof(info.name) - 1))
			return true;
	return false;
}

/*
 * A reference to the map of a keyless aggregation means the memory of its element
 * (BPF_PSEUDO_MAP_VALUE) from its first value on: libbpf has such only for data sections.
 */
static void load_bind_slots(struct load *l, struct bpf_insn *in, u32 n)
{
	for (u32 i = 0; i + 1 < n; i++) {
		if (in[i].code == (BPF_ALU64 | BPF_AND | BPF_K) && in[i].imm == DTX_SLOT_MAGIC)
			in[i].imm = load_slots() - 1;
		if (in[i].code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if (in[i].src_reg == BPF_PSEUDO_MAP_FD && load_is_slots(l, in[i].imm)) {
			in[i].src_reg = BPF_PSEUDO_MAP_VALUE;
			in[i + 1].imm = DTX_SLOT_VALUE;
		}
		i++;
	}
}

static void load_find_magic(struct load_prog *lp, const struct bpf_insn *in, u32 n)
{
	lp->magic.n = 0;
	for (u32 i = 0; i < n; i++) {
		u32 width = load_magic_width(&in[i], n - i);
		if (width)
			VEC_PUSH(&lp->magic, i);
		if (in[i].code == (BPF_LD | BPF_IMM | BPF_DW))
			i++;
	}
}

/* A copy of the program's instructions for `probe`. */
static struct bpf_insn *load_patched(const struct load_prog *lp, u32 probe)
{
	u32 n = bpf_program__insn_cnt(lp->bpf);
	struct bpf_insn *in = xmalloc(n * sizeof(*in));

	memcpy(in, bpf_program__insns(lp->bpf), n * sizeof(*in));
	for (u32 i = 0; i < lp->magic.n; i++) {
		struct bpf_insn *at = &in[lp->magic.v[i]];
		at->imm = probe;
		if (at->code == (BPF_LD | BPF_IMM | BPF_DW))
			at[1].imm = 0;
	}
	return in;
}

/*
 * The target function of a program.  The BTF of its module needs an fd, closed by the caller if
 * it is not 0; -errno: the module was removed, and its number in the BTF of vmlinux would be
 * another function.
 */
static int load_target(const struct dtx_probe *p, struct bpf_prog_load_opts *opts)
{
	opts->attach_btf_id = p->prog.btf_id;
	if (!p->prog.btf_id || !p->prog.btf_obj_id)
		return 0;
	int fd = bpf_btf_get_fd_by_id(p->prog.btf_obj_id);
	opts->attach_btf_obj_fd = MAX(fd, 0);
	return fd < 0 ? -errno : fd;
}

/* libbpf calls this just before it loads a program, to change the settings of the program. */
static int load_prepare(struct bpf_program *bpf, struct bpf_prog_load_opts *opts, long cookie)
{
	struct load *l = load_now;
	struct load_prog *lp = NULL;

	for (u32 i = 0; l && i < l->ld->img->nprogs && !lp; i++)
		if (l->progs[i].bpf == bpf)
			lp = &l->progs[i];
	if (!lp)                                 /* keeps the set of --follow: a plain raw_tp */
		return l && strstr(bpf_program__name(bpf), "_prog") ? 0 : -EINVAL;
	u32 probe = lp->p->probes[lp->first];
	l->current = lp;
	opts->expected_attach_type = progkinds[lp->p->kind].attach;
	bpf_program__set_type(bpf, progkinds[lp->p->kind].type);
	lp->opts = *opts;
	int fd = load_target(img_probe(l->ld->img, probe), opts);
	if (fd < 0)
		return dtx_env_fail(l->ld->env, fd, "the kernel module %s was reloaded after the "
						    "program was compiled: compile it again",
				    img_probe(l->ld->img, probe)->mod);
	if (fd)
		VEC_PUSH(&l->ld->prog_fds, fd);   /* open until the session ends */
	load_find_magic(lp, bpf_program__insns(bpf), bpf_program__insn_cnt(bpf));
	struct bpf_insn *in = load_patched(lp, probe);
	load_bind_slots(l, in, bpf_program__insn_cnt(bpf));
	int err = bpf_program__set_insns(bpf, in, bpf_program__insn_cnt(bpf));
	free(in);
	return err;
}

static int load_register(struct dtx_env *env)
{
	static bool done;        /* libbpf's table of handlers is also one per process */
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = load_prepare);

	if (done)
		return 0;
	int err = libbpf_register_prog_handler("dtx+", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, &opts);
	if (err < 0)
		return dtx_env_fail(env, err, "cannot set up libbpf: %s", strerror(-err));
	done = true;
	return 0;
}

static int load_find_progs(struct load *l)
{
	struct img *img = l->ld->img;

	for (u32 i = 0; i < img->nprogs; i++) {
		struct load_prog *lp = &l->progs[i];
		lp->p = &img->progs[i];
		lp->bpf = bpf_object__find_program_by_name(l->ld->obj, lp->p->name);
		if (!lp->bpf)
			return dtx_env_fail(l->ld->env, -EINVAL,
					    "the image is damaged: it has no program %s",
					    lp->p->name);
		if (strcmp(bpf_program__section_name(lp->bpf), lp->p->section))
			return dtx_env_fail(
				l->ld->env, -EINVAL,
				"the image is damaged: program %s is not in the section %s",
				lp->p->name, lp->p->section);
		load_want_log(l, lp);
		if (lp->first >= lp->p->nprobes)         /* no target is left */
			bpf_program__set_autoload(lp->bpf, false);
	}
	return 0;
}

/* ---- attempts ------------------------------------------------------------------------------ */

static bool load_may_shrink(const struct load *l)
{
	return strcmp(opt_text(l->ld->env, OPT_bufresize), "manual") != 0;
}

/* What the library said first, without its name; else the error's text. */
static const char *load_said(struct load *l, int err)
{
	const char *said = l->said.len ? l->said.data : strerror(-err);

	said += !strncmp(said, "libbpf: ", 8) ? 8 : 0;
	return arena_strndup(l->ld->arena, said, strcspn(said, "\n"));
}

/* Only an image whose author made it so, as its hash is right. */
static int load_unreadable(struct load *l, int err)
{
	return dtx_env_fail(l->ld->env, err,
			    "the image is damaged: its object is not one that dtx makes (%s)",
			    load_said(l, err));
}

static int load_try(struct load *l)
{
	struct loaded *ld = l->ld;
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dtx");

	bpf_object__close(ld->obj);
	l->current = NULL;
	buf_reset(&l->said);
	ld->obj = bpf_object__open_mem(ld->img->elf, ld->img->elf_len, &opts);
	if (!ld->obj) {
		int err = -errno;
		return load_unreadable(l, err);
	}
	int err = load_find_progs(l);
	if (!err)
		err = load_check_names(l);
	if (!err)
		err = load_check_data(ld);
	if (!err)
		err = load_size_maps(l);
	if (!err)
		err = load_size_shelves(ld);
	if (!err)
		err = load_check_bytes(ld);
	if (!err)
		err = load_ksyms(l);
	if (!err && l->shrunk && !load_may_shrink(l))
		err = -ENOMEM;
	if (!err)
		err = load_check_memory(ld);
	if (!err)
		err = bpf_object__load(ld->obj);
	return err ? err : load_fill_shelves(ld);
}

/* Memory is short: halves the ring buffer (option bufresize=auto). */
static bool load_shrink(struct load *l, int err)
{
	if (err != -ENOMEM || l->current || l->ring_bytes <= LOAD_RING_MIN || !load_may_shrink(l))
		return false;
	l->ring_bytes /= 2;
	l->shrunk = true;
	return true;
}

/* What the verifier said of the program that it refused, in the arena; NULL: nothing. */
static char *load_log_of_refused(struct load *l)
{
	static const char begin[] = "-- BEGIN PROG LOAD LOG --\n", end[] = "-- END PROG LOAD LOG";
	char *log = l->said.len ? strstr(l->said.data, begin) : NULL, *stop;

	if (l->current && l->current->log && *l->current->log)       /* bpflogsize */
		return arena_strdup(l->ld->arena, l->current->log);
	if (!log)
		return NULL;
	log += sizeof(begin) - 1;
	stop = strstr(log, end);
	return arena_strndup(l->ld->arena, log, stop ? (size_t)(stop - log) : strlen(log));
}

/* The target of a fentry or tp_btf program was refused: continues without it. */
static bool load_drop_target(struct load *l)
{
	struct load_prog *lp = l->current;
	if (!lp || progkinds[lp->p->kind].type != BPF_PROG_TYPE_TRACING || !l->said.len ||
	    !refusal_of_target(l->said.data))
		return false;

	const struct dtx_probe *p = img_probe(l->ld->img, lp->p->probes[lp->first]);
	char *log = load_log_of_refused(l);
	const char *said = log ? refusal_said(l->ld, log) : "";
	attach_refuse(l->ld->at, p,
		      "the kernel does not let BPF programs attach to this function%s%s",
		      *said ? ": " : "", said);
	lp->first++;
	return true;
}

/* Errors that have other reasons than what the image holds. */
static bool load_blames_image(int err)
{
	return err != -EPERM && err != -EACCES && err != -E2BIG && err != -ENOSPC &&
	       err != -EAGAIN && err != -EINTR && err != -EBUSY;
}

static int load_failed(struct load *l, int err)
{
	struct loaded *ld = l->ld;
	char *log = load_log_of_refused(l);

	if (diags_failed(&ld->env->diags) || (err == -EPERM && env_lock_short(ld->env)))
		return err;
	if (err == -EMFILE || err == -ENFILE)
		return dtx_env_fail(ld->env, err, "too many files are open: %s",
				    err == -EMFILE ? "raise the limit, ulimit -n"
						   : "raise fs.file-max");
	if (log && l->current && err != -ENOMEM)
		return refusal_explain(ld,
				       img_probe(ld->img, l->current->p->probes[l->current->first]),
				       log);
	if (err == -ENOMEM)
		return dtx_env_fail(
			ld->env, err,
			"there is not enough memory for the program's maps, which may take half of "
			"what there is: lower bufsize, aggsize or dynvarsize%s",
			ld->img->kernel ? "; or the image asks for more than a program of dtx does"
					: "");
	for (u32 i = 0; err == -E2BIG && i < ld->img->nmaps; i++)
		if (ld->img->maps[i].key_size > LOAD_OLD_KEY)
			return dtx_env_fail(
				ld->env, err,
				"this kernel takes keys of at most %d bytes, and the program has "
				"one of %u: lower strsize",
				LOAD_OLD_KEY, ld->img->maps[i].key_size);
	if (ld->img->kernel && load_blames_image(err))
		return load_unreadable(l, err);
	return dtx_env_fail(ld->env, err, "the kernel rejects the program (%s)%s%s",
			    strerror(-err), l->said.len ? ": " : "",
			    l->said.len ? load_said(l, err) : "");
}

/* ---- the control block ---------------------------------------------------------------------- */

static int load_map_ctl(struct loaded *ld)
{
	struct utsname uts;
	int fd = load_map_fd(ld, LOAD_CTL_MAP);
	if (fd < 0)
		return dtx_env_fail(ld->env, -EINVAL,
				    "the image is damaged: it has no control block");
	void *at = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return dtx_env_fail(ld->env, -errno, "cannot map the program's control block: %s",
				    strerror(errno));
	ld->ctl = at;
	load_set_clock(ld);
	ld->ctl->start = clock_ns(CLOCK_MONOTONIC);
	ld->ctl->self_pid = getpid();
	if (!uname(&uts))
		memcpy(ld->ctl->host, uts.nodename, strnlen(uts.nodename, DTX_HOST_LEN - 1));
	ld->ctl->pidns = ld->env->pidns;
	ld->ctl->target_pid = ld->env->target_pid;
	ld->ctl->ncpus = libbpf_num_possible_cpus();
	ld->ctl->specsize = opt_num(ld->env, OPT_specsize);
	ld->ctl->only_cpu = env_cpu(ld->env) + 1;
	ld->ctl->fill = !strcmp(opt_text(ld->env, OPT_bufpolicy), "fill");
	ld->ctl->state = DTX_STATE_IDLE;
	return 0;
}

static void load_say_shrunk(const struct load *l)
{
	const struct opt_value *opts = l->ld->env->opts->v;
	u32 kib = l->ring_bytes / load_ring_cpus(l->ld->img) / 1024;
	struct range nowhere = { 0 };

	if (!opts[OPT_quiet].n && !opts[OPT_quietresize].n)
		diag_warn(&l->ld->env->diags, DIAG_NONE, nowhere, "buffer size lowered to %uk",
			  kib);
}

/* ---- for the session ------------------------------------------------------------------------ */

int load_object(struct loaded *ld)
{
	struct load *l = ld->load = ARENA_NEW(ld->arena, struct load);

	l->ld = ld;
	l->progs = ARENA_ARRAY(ld->arena, struct load_prog, ld->img->nprogs);
	int err = load_check_needs(ld, false);
	if (!err)
		err = load_check_options(ld);
	if (!err)
		err = load_register(ld->env);
	if (err)
		return err;
	libbpf_print_fn_t old = libbpf_set_print(load_print);
	load_now = l;
	do {
		err = load_try(l);
	} while (err && !diags_failed(&ld->env->diags) &&
		 (load_shrink(l, err) || load_drop_target(l)));
	if (err) {
		int missing = diags_failed(&ld->env->diags) ? 0 : load_check_needs(ld, true);
		err = missing ? missing : load_failed(l, err);
	}
	load_now = NULL;
	libbpf_set_print(old);
	buf_free(&l->said);
	if (l->shrunk && !err)
		load_say_shrunk(l);
	load_show_logs(l);
	return err ? err : load_map_ctl(ld);
}

void load_free(struct loaded *ld)
{
	if (ld->ctl)
		munmap(ld->ctl, sysconf(_SC_PAGESIZE));
	ld->ctl = NULL;
	for (u32 i = 0; ld->load && i < ld->img->nprogs; i++)
		VEC_FREE(&ld->load->progs[i].magic);
	for (u32 i = 0; i < ld->prog_fds.n; i++)
		close(ld->prog_fds.v[i]);
	VEC_FREE(&ld->prog_fds);
	bpf_object__close(ld->obj);
	ld->obj = NULL;
	buf_free(&ld->log);
}

/* The same program once more, for another probe. */
static int load_copy(struct loaded *ld, struct load_prog *lp, u32 probe)
{
	struct bpf_prog_load_opts opts = lp->opts;
	int btf_fd = load_target(img_probe(ld->img, probe), &opts);
	if (btf_fd < 0)
		return btf_fd;
	struct bpf_insn *in = load_patched(lp, probe);

	opts.log_buf = NULL;
	opts.log_size = opts.log_level = 0;
	int fd = bpf_prog_load(progkinds[lp->p->kind].type, lp->p->name, LOAD_LICENSE, in,
			       bpf_program__insn_cnt(lp->bpf), &opts);
	free(in);
	if (btf_fd)
		close(btf_fd);
	if (fd >= 0)
		VEC_PUSH(&ld->prog_fds, fd);
	return fd;
}

int load_prog_fd(struct loaded *ld, u32 prog, u32 probe)
{
	struct load_prog *lp = &ld->load->progs[prog];

	if (lp->first >= lp->p->nprobes)
		return -ENOENT;
	if (lp->p->ident != IDENT_ONE || probe == lp->p->probes[lp->first])
		return bpf_program__fd(lp->bpf);
	for (u32 i = 0; i < lp->first; i++)
		if (lp->p->probes[i] == probe)
			return -ENOENT;          /* refused at loading */
	return load_copy(ld, lp, probe);
}
