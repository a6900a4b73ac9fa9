/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * late.c - probes of programs and libraries that start while tracing (-Z).
 *
 * The kernel records each file that is mapped as code, by exec or dlopen, in one perf ring per
 * CPU: no process waits for this, and none is woken.  The rings are read every LATE_PERIOD.  A
 * known file needs no work, because probes are attached to files.  A new one is offered to the
 * providers of the placeholder probes.  The probes they find are added to those of the image,
 * described in the map dtx_late and attached with their index as the cookie.
 *
 * Of modules of the kernel the kernel tells by uevents, when they have begun.
 * Why: docs/decisions/33-later-programs.md
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include <bpf/bpf.h>

#include <dtx/tables/loc.h>
#include <dtx/arch.h>
#include <dtx/tables/maprole.h>

#include "runtime/code/code.h"
#include "runtime/proc/proc.h"
#include "runtime/run/run.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/provider.h"

#define LATE_PAGES  64           /* of a ring: more than 1,000 processes in LATE_PERIOD */
#define LATE_SEEN   65536        /* files that are remembered */

/* A file, as named in the kernel's records. */
struct late_file { u64 dev, ino, generation; };

/* A place that already has its probe: of a program, or (prog ~0) attached at the start. */
struct late_place {
	struct file_id file;
	u64 off;
	const char *prov, *name;
	u32 prog;
};

/* A function or event of a module that has its probe. */
struct late_function { const char *mod, *func, *name; u32 site, prog; };

struct late_ring { int fd; struct perf_event_mmap_page *page; };

struct late {
	struct dtx_session *s;
	struct late_ring *rings;
	u32 nrings, room;                /* room: probes that img->probes has memory for */
	struct keytab *seen;             /* struct late_file */
	VEC(struct late_place) places;
	int uevents;                     /* of the kernel: a module was loaded; or -1 */
	VEC(struct late_function) functions;
	int map;                         /* dtx_late, or negative: no program uses it */
	size_t page, size;               /* bytes of a page, of a ring's data */
	char *record;                    /* a record that wraps around the end of its ring */
	/* The file being offered: */
	u32 prog;
	struct file_id file;
	VEC(const struct dtx_probe *) found;
};

/* ---- descriptions of probes, for the programs ----------------------------------------------- */

static struct dtx_late_arg late_arg(const struct dtx_arg *a)
{
	struct dtx_late_arg l = { .off = a->off, .index = -1, .value = a->value, .size = a->size,
				  .is_signed = a->is_signed, .scale = a->scale };

	if (a->loc == LOC_REG)
		l.loc = DTX_LATE_REG;
	else if (a->loc == LOC_CONST || a->loc == LOC_OWN)
		l.loc = DTX_LATE_CONST;
	else if (a->loc == LOC_GONE)
		l.loc = DTX_LATE_GONE;
	else if (a->loc == LOC_USERMEM)
		l.loc = DTX_LATE_MEM;
	if (a->loc == LOC_PLACE || a->loc == LOC_VALUE || (a->loc == LOC_STACK && !a->user))
		l.loc = DTX_LATE_GONE;
	if (a->loc == LOC_STACK && a->user) {
		l.loc = DTX_LATE_MEM;
		l.off = ARCH_REG_SP;
		l.value = a->off;
	}
	if (a->loc == LOC_USERMEM) {
		l.off = a->slot == DTX_NO_REG ? -1 : 8 * a->slot;
		l.index = a->index == DTX_NO_REG ? -1 : 8 * a->index;
	}
	return l;
}

static void late_describe(struct late *l, struct dtx_probe *p, struct dtx_late *d)
{
	const char *texts[] = { NULL, p->prov, p->mod, p->func, p->name };
	u32 cap = img_late_text(l->s->img->strsize);

	texts[DTX_LATE_PROBE] = arena_printf(l->s->arena, PROBE_NAME, PROBE_PARTS(p));
	for (u32 i = 0; i < DTX_LATE_TEXTS; i++)
		snprintf(d->text[i], cap, "%s", texts[i]);
	d->id = p->id;
	if (p->place.guard)
		d->guard = *p->place.guard;
	d->nargs = MIN(p->args.n, (u32)DTX_MAX_ARGS);
	for (u32 i = 0; i < d->nargs; i++)
		d->args[i] = late_arg(&p->args.v[i]);
}

/* ---- adding probes ---------------------------------------------------------------------- */

/* May the probes that come be a few bytes after the entries of their functions? */
static bool late_may_pass(const struct late *l)
{
	const struct img *img = l->s->img;
	const struct img_prog *p = &img->progs[l->prog];

	for (u32 i = 0; i < p->nprobes; i++)
		if (!img_probe(img, p->probes[i])->place.past)
			return false;
	return true;
}

/* Adds a probe to the image; pointers to the others stay valid.  Its index, negative: no room. */
static s64 late_add(struct late *l, struct dtx_probe *p)
{
	struct img *img = l->s->img;
	struct dtx_late d = { 0 };
	u32 index = img->nprobes;

	if (provider_args(l->s->env, p, ARGS_TYPED) < 0)
		return -EINVAL;
	if (!late_may_pass(l))
		p->place.past = 0;
	late_describe(l, p, &d);
	if (l->map >= 0 && bpf_map_update_elem(l->map, &index, &d, BPF_ANY))
		return -errno;
	if (index == l->room) {
		struct dtx_probe *more = ARENA_ARRAY(img->arena, struct dtx_probe, 2 * index + 64);

		memcpy(more, img->probes, index * sizeof(*more));
		img->probes = more;
		l->room = 2 * index + 64;
	}
	img->probes[img->nprobes++] = *p;
	return index;
}

static bool late_is_known(const struct late *l, const struct dtx_probe *p)
{
	for (u32 i = 0; i < l->places.n; i++) {
		const struct late_place *k = &l->places.v[i];

		if (k->off == p->place.off && (k->prog == l->prog || k->prog == ~0u) &&
		    file_id_same(&k->file, &l->file) && !strcmp(k->name, p->name) &&
		    !strcmp(k->prov, p->prov))
			return true;
	}
	return false;
}

static void late_know(struct late *l, u32 prog, const struct file_id *file,
		      const struct dtx_probe *p)
{
	VEC_PUSH(&l->places, ((struct late_place){ *file, p->place.off, p->prov, p->name, prog }));
}

static int late_found(void *arg, struct dtx_probe *p)
{
	struct late *l = arg;

	if (!late_is_known(l, p)) {
		late_know(l, l->prog, &l->file, p);
		VEC_PUSH(&l->found, p);
	}
	return 0;
}

static void late_refuse(struct late *l, const struct dtx_probe *p, s64 err)
{
	const char *why = err == -E2BIG ? "there are too many" : strerror((int)-err);

	attach_refuse(&l->s->at, p, "%s", diags_take(&l->s->env->diags, why));
}

static void late_attach(struct late *l)
{
	struct dtx_session *s = l->s;
	u32 n = 0, refused = s->at.refused.n;
	bool off = attach_is_off(&s->at, l->prog);
	const struct dtx_probe **probes = xcalloc(l->found.n, sizeof(*probes));
	u64 *cookies = xcalloc(l->found.n, sizeof(*cookies));

	for (u32 i = 0; i < l->found.n; i++) {
		if (off) {
			attach_refuse(&s->at, l->found.v[i], "maxoverhead has detached its clause");
			continue;
		}
		s64 index = late_add(l, (struct dtx_probe *)l->found.v[i]);

		if (index < 0) {
			late_refuse(l, l->found.v[i], index);
			continue;
		}
		probes[n] = img_probe(s->img, index);
		cookies[n++] = index;
	}
	if (n)
		session_attach_more(s, l->prog, probes, cookies, n);
	for (; refused < s->at.refused.n; refused++) {
		const struct attach_refusal *r = &s->at.refused.v[refused];

		consumer_tell(s->con, MESSAGE(DTX_REFUSED, DTX_WARNING),
			      "not attached: " PROBE_NAME ": %s", PROBE_PARTS(r->probe), r->reason);
	}
	free(probes);
	free(cookies);
	codefiles_unpin(s->env, true);
}

/* Offers a file mapped by a process to each provider with placeholder probes. */
static int late_offer(void *arg, s32 pid, const struct proc_object *po)
{
	struct late *l = arg;
	const struct img *img = l->s->img;

	codefile_anew(l->s->env, po->path);
	l->file = file_identity(po->path);
	for (u32 i = 0; i < img->nprogs; i++) {
		const struct dtx_probe *p = img_probe(img, img->progs[i].probes[0]);
		const struct dtx_pattern pat = { p->prov, p->mod, p->func, p->name, 0, false };

		if (!p->late || !p->provider->list_object)
			continue;
		l->prog = i;
		l->found.n = 0;
		p->provider->list_object(l->s->env, &pat, pid, po, late_found, l);
		if (l->found.n)
			late_attach(l);
	}
	return 0;
}

/* Offers the files that are mapped now. */
static void late_scan(struct late *l)
{
	process_all_objects(l->s->env, late_offer, l);
}

/* ---- modules of the kernel ------------------------------------------------------------------- */

static int late_in_module(void *arg, struct dtx_probe *p)
{
	struct late *l = arg;

	for (u32 i = 0; i < l->functions.n; i++) {
		const struct late_function *f = &l->functions.v[i];

		if (f->prog == l->prog && f->site == p->place.site && !strcmp(f->mod, p->mod) &&
		    !strcmp(f->func, p->func) && !strcmp(f->name, p->name))
			return 0;
	}
	VEC_PUSH(&l->functions, ((struct late_function){ p->mod, p->func, p->name, p->place.site,
							 l->prog }));
	VEC_PUSH(&l->found, p);
	return 0;
}

/* Offers the modules that are loaded now.  false: no placeholder waits for one. */
static bool late_scan_modules(struct late *l)
{
	const struct img *img = l->s->img;
	bool waits = false;

	for (u32 i = 0; i < img->nprogs; i++) {
		const struct dtx_probe *p = img_probe(img, img->progs[i].probes[0]);

		if (!p->late || !p->provider->list_modules)
			continue;
		if (!waits)
			provider_modules_anew(l->s->env);
		waits = true;
		l->prog = i;
		l->found.n = 0;
		p->provider->list_modules(l->s->env, p, late_in_module, l);
		if (l->found.n)
			late_attach(l);
	}
	return waits;
}

/* The kernel detaches probes of a module that it removes: with the next one of the name they are
 * new. */
static void late_forget(struct late *l, const char *module)
{
	u32 kept = 0;

	for (u32 i = 0; i < l->functions.n; i++)
		if (strcmp(l->functions.v[i].mod, module))
			l->functions.v[kept++] = l->functions.v[i];
	l->functions.n = kept;
}

/* "add@/module/xfs" comes when the module has begun. */
static void late_modules(struct late *l)
{
	char text[UEVENT_TEXT];
	bool added = false;
	ssize_t n;

	while (l->uevents >= 0 &&
	       ((n = recv(l->uevents, text, sizeof(text) - 1, 0)) > 0 || errno == ENOBUFS)) {
		text[n > 0 ? n : 0] = '\0';
		added |= n < 0 || strstr(text, "add@/module/") == text;
		if (strstr(text, "remove@/module/") == text)
			late_forget(l, text + strlen("remove@/module/"));
	}
	if (added)
		late_scan_modules(l);
}

/* ---- the kernel's records ------------------------------------------------------------------ */

static void late_mapped(struct late *l, const struct mapping_record *m)
{
	struct late_file f = { (u64)m->maj << 32 | m->min, m->ino, m->generation };
	struct proc_object po;

	if (*m->path != '/' || keytab_get(l->seen, &f) ||
	    !process_object(l->s->env, m->pid, m->path, &po))
		return;
	if (keytab_count(l->seen) >= LATE_SEEN) {
		keytab_free(l->seen);
		l->seen = keytab_new(sizeof(struct late_file), 1);
	}
	keytab_put(l->seen, &f);
	late_offer(l, m->pid, &po);
}

/* The record at `at`, in one piece. */
static const struct perf_event_header *late_record(struct late *l, const char *data, u64 at)
{
	const struct perf_event_header *h = (const void *)(data + at % l->size);
	size_t first = l->size - at % l->size;

	if (h->size <= first)
		return h;
	memcpy(l->record, h, first);
	memcpy(l->record + first, data, h->size - first);
	return (const void *)l->record;
}

/* true: the ring was full, and records are missing. */
static bool late_read(struct late *l, const struct late_ring *r)
{
	const char *data = (const char *)r->page + l->page;
	u64 head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE), at = r->page->data_tail;
	bool lost = false;

	while (at < head) {
		const struct perf_event_header *h = late_record(l, data, at);

		if (h->type == PERF_RECORD_MMAP2)
			late_mapped(l, (const void *)h);
		lost |= h->type == PERF_RECORD_LOST;
		at += h->size;
	}
	__atomic_store_n(&r->page->data_tail, at, __ATOMIC_RELEASE);
	return lost;
}

void late_look(struct late *l)
{
	bool lost = false;

	for (u32 i = 0; i < l->nrings; i++)
		lost |= l->rings[i].page && late_read(l, &l->rings[i]);
	if (lost)
		late_scan(l);
	late_modules(l);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* 0, -ENODEV: the CPU is offline, or -errno. */
static int late_open(struct late *l, u32 cpu)
{
	struct late_ring r = { .page = NULL };

	r.fd = sys_perf_mappings(-1, (int)cpu, false, l->page + l->size, &r.page);
	if (r.fd < 0)
		return r.fd;
	l->rings[cpu] = r;
	return 0;
}

static void late_close(struct late *l, u32 cpu)
{
	struct late_ring *r = &l->rings[cpu];

	if (!r->page)
		return;
	munmap(r->page, l->page + l->size);
	close(r->fd);
	r->page = NULL;
}

static int late_open_all(struct late *l)
{
	bool any = false;
	int err = 0;

	l->nrings = l->s->env->ncpus;
	l->rings = xcalloc(l->nrings, sizeof(*l->rings));
	for (u32 cpu = 0; cpu < l->nrings && (!err || err == -ENODEV); cpu++) {
		err = late_open(l, cpu);
		any |= !err;
	}
	return any && err == -ENODEV ? 0 : err;
}

void late_cpu(struct late *l, u32 cpu)
{
	if (!l || cpu >= l->nrings || !l->rings)
		return;
	late_look(l);
	late_close(l, cpu);
	late_open(l, cpu);
	late_scan(l);                    /* what began there before this moment */
}

/* Records the probes that are already attached. */
static void late_know_all(struct late *l)
{
	const struct img *img = l->s->img;

	for (u32 i = 0; i < img->nprobes; i++) {
		const struct dtx_probe *p = img_probe(img, i);

		if (p->late || !p->place.target || !p->provider->list_object)
			continue;
		struct file_id file = file_identity(p->place.target);
		late_know(l, ~0u, &file, p);
	}
}

static bool late_waits_for_files(const struct img *img)
{
	for (u32 i = 0; i < img->nprogs; i++) {
		const struct dtx_probe *p = img_probe(img, img->progs[i].probes[0]);

		if (p->late && p->provider->list_object)
			return true;
	}
	return false;
}

/* Events of modules are opened as events of perf. */
bool late_opens_events(const struct dtx_session *s)
{
	if (!s->late)
		return false;
	for (u32 i = 0; i < s->img->nprogs; i++) {
		const struct dtx_probe *p = img_probe(s->img, s->img->progs[i].probes[0]);

		if (p->late && p->provider->list_modules)
			return true;
	}
	return false;
}

struct late *late_start(struct dtx_session *s)
{
	struct late *l = xcalloc(1, sizeof(*l));

	l->s = s;
	l->map = load_role_fd(&s->ld, ROLE_late);
	l->room = s->img->nprobes;
	l->seen = keytab_new(sizeof(struct late_file), 1);
	l->page = sysconf(_SC_PAGESIZE);
	l->size = LATE_PAGES * l->page;
	l->record = xcalloc(1, UINT16_MAX + 1);
	l->uevents = uevents_open();
	if (late_scan_modules(l) && l->uevents < 0)
		consumer_tell(s->con, MESSAGE(DTX_NOTICE, DTX_WARNING),
			      "modules that are loaded later are not seen: the kernel does not "
			      "tell of them here");
	int err = late_waits_for_files(s->img) ? late_open_all(l) : 0;
	if (err)
		consumer_tell(s->con, MESSAGE(DTX_NOTICE, DTX_WARNING),
			      "programs and libraries that start later are not seen: %s",
			      prov_why(err));
	late_know_all(l);
	if (l->nrings)
		late_scan(l);
	return l;
}

void late_free(struct late *l)
{
	if (!l)
		return;
	for (u32 cpu = 0; cpu < l->nrings; cpu++)
		late_close(l, cpu);
	if (l->uevents >= 0)
		close(l->uevents);
	keytab_free(l->seen);
	VEC_FREE(&l->functions);
	VEC_FREE(&l->places);
	VEC_FREE(&l->found);
	free(l->rings);
	free(l->record);
	free(l);
}
