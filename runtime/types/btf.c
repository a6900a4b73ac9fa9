/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c - kernel BTF, read in place.
 *
 * Nothing is read before the first lookup of a name.  Then the bytes are mapped
 * (or read once), and one pass records where each type begins and makes two lists
 * of those with names: functions, and the rest.
 *
 *   name -> list, or chain of those whose text has its hash -> equal text -> kind -> id
 *
 * Going through a list a few times costs less than hashing its names; after FEW
 * times it becomes chains.  Four of five names are functions, and most programs
 * ask for few of them.  Modules are searched only for names that vmlinux lacks.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/btf.h>

#include <dtx/opt.h>

#include "runtime/code/symtabs.h"
#include "runtime/machine/machine.h"
#include "runtime/types/types-private.h"

#define FEW      6               /* times that a list is gone through before its hash pays */
#define ANY_ENUM (1u << BTF_KIND_ENUM | 1u << BTF_KIND_ENUM64)

struct btf_src {
	struct dtx_env *env;
	struct type_source types;
	struct btf_obj *vmlinux;         /* NULL: not yet read, or unreadable */
	bool tried, tried_modules, used_modules;
	VEC(struct btf_obj *) modules;
};

struct dtx_env *btf_env(const struct btf_src *src)
{
	return src->env;
}

/* ---- the bytes --------------------------------------------------------------- */

const struct btf_type *btf_at(const struct btf_obj *o, u32 id)
{
	while (o && id < o->first_id)
		o = o->base;
	if (!o || !id || id >= o->end_id)
		return NULL;
	return (const struct btf_type *)(o->types + o->off[id - o->first_id]);
}

const char *btf_str(const struct btf_obj *o, u32 off)
{
	while (o->base && off < o->str_base)
		o = o->base;
	off -= o->str_base;
	return off < o->strs_len ? o->strs + off : "";
}

/* Records the place of each type, and lists those with names from the lowest id to the highest:
 * the first definition is found first.  Types after an unknown kind are not seen. */
static void btf_scan(struct btf_obj *o)
{
	u32 *end[] = { &o->names[BTF_OTHERS].list, &o->names[BTF_FUNCS].list };
	u32 len = o->types_len, most = len / sizeof(struct btf_type), n = 0;
	u32 *off = xmalloc((most + 1) * sizeof(*off)), *next = xmalloc((most + 1) * sizeof(*next));
	bool signs = o->base && o->base->enum_signs;

	for (u32 at = 0; at + sizeof(struct btf_type) <= len; n++) {
		const struct btf_type *t = (const struct btf_type *)(o->types + at);
		u32 size = btf_size(t), kind = BTF_INFO_KIND(t->info);

		if (!size || size > len - at)
			break;
		if (ANY_ENUM >> kind & 1)
			signs |= kind == BTF_KIND_ENUM64 || BTF_INFO_KFLAG(t->info);
		if (t->name_off) {
			u32 **last = &end[kind == BTF_KIND_FUNC];

			**last = o->first_id + n;
			*last = &next[n];
		}
		off[n] = at;
		at += size;
	}
	for (u32 i = 0; i < ARRAY_SIZE(end); i++)
		*end[i] = 0;
	o->enum_signs = signs;
	o->off = off;
	o->next = next;
	o->end_id = o->first_id + n;
	o->memo = xcalloc(n, sizeof(*o->memo));
}

static bool btf_header(struct btf_obj *o)
{
	struct btf_header h;

	if (o->len < sizeof(h))
		return false;
	memcpy(&h, o->data, sizeof(h));
	if (h.magic != BTF_MAGIC || h.version != BTF_VERSION || h.hdr_len < sizeof(h) ||
	    h.hdr_len > o->len || o->len - h.hdr_len < (u64)h.type_off + h.type_len ||
	    o->len - h.hdr_len < (u64)h.str_off + h.str_len)
		return false;
	o->types = (const u8 *)o->data + h.hdr_len + h.type_off;
	o->types_len = h.type_len;
	o->strs = o->data + h.hdr_len + h.str_off;
	o->strs_len = h.str_len;
	o->first_id = o->base ? o->base->end_id : 1;
	o->str_base = o->base ? o->base->strs_len : 0;
	return h.str_len && !o->strs[h.str_len - 1] && !((h.hdr_len + h.type_off) & 3);
}

void btf_obj_free(struct btf_obj *o)
{
	if (!o)
		return;
	if (o->mapped)
		munmap(o->data, o->len);
	else
		free(o->data);
	free(o->off);
	free(o->next);
	for (u32 i = 0; i < ARRAY_SIZE(o->names); i++)
		free(o->names[i].chains);
	free(o->memo);
	free(o);
}

static struct btf_obj *obj_open(struct btf_src *src, const char *name, const char *path,
				struct btf_obj *base, bool named)
{
	struct btf_obj *o = xcalloc(1, sizeof(*o));

	o->src = src;
	o->base = base;
	if (!btf_bytes(src->env, o, path, named) || !btf_header(o)) {
		btf_obj_free(o);
		return NULL;
	}
	o->name = arena_strdup(src->env->arena, name);
	btf_scan(o);
	return o;
}

struct btf_obj *btf_obj_open(struct btf_src *src, const char *name, const char *path,
			     struct btf_obj *base)
{
	return obj_open(src, name, path, base, false);
}

struct btf_obj *btf_obj_memory(const void *data, size_t len)
{
	struct btf_obj *o = xcalloc(1, sizeof(*o));

	o->data = xmalloc(len + !len);
	if (len)
		memcpy(o->data, data, len);
	o->len = len;
	if (!btf_header(o)) {
		btf_obj_free(o);
		return NULL;
	}
	btf_scan(o);
	return o;
}

/* ---- names -------------------------------------------------------------------- */

/* The text at an offset, and where the strings of its object end: in a NUL. */
static const char *btf_text(const struct btf_obj *o, u32 off, const char **end)
{
	while (o->base && off < o->str_base)
		o = o->base;
	*end = o->strs + o->strs_len;
	off -= o->str_base;
	return o->strs + MIN(off, o->strs_len - 1);
}

static u64 name_tail(const char *s, const char *end)
{
	char tail[sizeof(u64)] = "";
	u64 w;

	memcpy(tail, s, (size_t)(end - s));
	memcpy(&w, tail, sizeof(w));
	return w;
}

/* In one pass, as names have no length; its upper bits are the best. */
static u64 name_hash(const char *s, const char *end)
{
	const u64 ones = ~0ull / 0xff, odd = 0xff51afd7ed558ccdull;
	u64 h = 0, w, zero;

	for (;; s += sizeof(w)) {
		if (end - s < (ptrdiff_t)sizeof(w))
			w = name_tail(s, end);
		else
			memcpy(&w, s, sizeof(w));
		w = le64toh(w);
		zero = (w - ones) & ~w & ones << 7;      /* its lowest bit is in the first NUL */
		if (zero)
			break;
		h = (h ^ w) * odd;
	}
	return (h ^ (w & (((zero & -zero) >> 7) - 1))) * odd;
}

static const struct btf_type *type_here(const struct btf_obj *o, u32 id)
{
	return (const struct btf_type *)(o->types + o->off[id - o->first_id]);
}

/* Turns a list round, so that its chains begin with their lowest ids again. */
static u32 list_back(struct btf_obj *o, u32 id, u32 *n)
{
	u32 back = 0, next;

	for (*n = 0; id; id = next, ++*n) {
		next = o->next[id - o->first_id];
		o->next[id - o->first_id] = back;
		back = id;
	}
	return back;
}

static void names_chain(struct btf_obj *o, struct btf_names *names)
{
	u32 n, next, id = list_back(o, names->list, &n);
	const char *end;

	for (names->bits = 6; n >> names->bits; names->bits++)
		;
	names->chains = xcalloc(1ull << names->bits, sizeof(*names->chains));
	for (; id; id = next) {
		const char *text = btf_text(o, type_here(o, id)->name_off, &end);
		u32 *first = &names->chains[name_hash(text, end) >> (64 - names->bits)];

		next = o->next[id - o->first_id];
		o->next[id - o->first_id] = *first;
		*first = id;
	}
}

u32 btf_find(struct btf_obj *o, const char *name, u32 kinds)
{
	struct btf_names *names = &o->names[kinds == 1u << BTF_KIND_FUNC ? BTF_FUNCS : BTF_OTHERS];
	size_t len = strlen(name);
	u32 id = names->list;
	const char *end;

	if (!len)
		return 0;
	if (!names->chains && names->times++ == FEW)
		names_chain(o, names);
	if (names->chains)
		id = names->chains[name_hash(name, name + len + 1) >> (64 - names->bits)];
	for (; id; id = o->next[id - o->first_id]) {
		const struct btf_type *t = type_here(o, id);
		const char *text = btf_text(o, t->name_off, &end);

		if ((size_t)(end - text) > len && !text[len] && !memcmp(text, name, len) &&
		    (kinds >> BTF_INFO_KIND(t->info) & 1))
			return id;
	}
	return 0;
}

/* ---- vmlinux and modules --------------------------------------------------------- */

static struct btf_obj *src_vmlinux(struct btf_src *src)
{
	const struct opt_value *v = src->env->opts->v;
	const struct opt_value *path = v[OPT_btf].set ? &v[OPT_btf] : &v[OPT_ctfpath];

	if (src->tried)
		return src->vmlinux;
	src->tried = true;
	if (path->set)
		src->vmlinux = obj_open(src, "vmlinux", path->s, NULL, true);
	if (!src->vmlinux && !v[OPT_btf].set)
		src->vmlinux = btf_obj_open(src, "vmlinux", BTF_DIR "/vmlinux", NULL);
	return src->vmlinux;
}

static bool src_has(const struct btf_src *src, const char *module)
{
	for (u32 i = 0; i < src->modules.n; i++)
		if (!strcmp(src->modules.v[i]->name, module))
			return true;
	return false;
}

void btf_src_outdated(struct btf_src *src)
{
	if (src)
		src->tried_modules = false;
}

static int src_module(void *arg, const char *name)
{
	struct btf_src *src = arg;
	struct btf_obj *o;

	if (!strcmp(name, "vmlinux") || src_has(src, name))
		return 0;
	o = btf_obj_open(src, name, arena_printf(src->env->arena, BTF_DIR "/%s", name),
			 src_vmlinux(src));
	if (o)
		VEC_PUSH(&src->modules, o);
	return 0;
}

/* Those of a kernel are made for its own types alone. */
static void src_modules(struct btf_src *src)
{
	if (src->tried_modules || !src_vmlinux(src) || opt_is_set(src->env, OPT_btf))
		return;
	src->tried_modules = true;
	machine_each(src->env, BTF_DIR, src_module, src);
}

/* First match in vmlinux, then in modules; only in `module` when that is given. */
static struct btf_obj *src_find(struct btf_src *src, const char *module, const char *name,
				u32 kinds, u32 *id)
{
	struct btf_obj *o = src_vmlinux(src);
	bool any = !module || !*module;

	if (!o)
		return NULL;
	if ((any || !strcmp(module, "vmlinux")) && (*id = btf_find(o, name, kinds)))
		return o;
	if (!any && !strcmp(module, "vmlinux"))
		return NULL;
	src_modules(src);
	for (u32 i = 0; i < src->modules.n; i++) {
		o = src->modules.v[i];
		if ((any || !strcmp(module, o->name)) && (*id = btf_find(o, name, kinds))) {
			src->used_modules = true;
			return o;
		}
	}
	return NULL;
}

/* The kernel's id of a module's BTF object, found by name. */
static u32 module_obj_here(const char *name)
{
	struct bpf_btf_info info;
	char text[64];
	u32 id = 0, len;
	int fd;

	while (!bpf_btf_get_next_id(id, &id)) {
		fd = bpf_btf_get_fd_by_id(id);
		if (fd < 0)
			continue;
		memset(&info, 0, sizeof(info));
		memset(text, 0, sizeof(text));
		info.name = (u64)(uintptr_t)text;
		info.name_len = sizeof(text);
		len = sizeof(info);
		if (bpf_obj_get_info_by_fd(fd, &info, &len) || !info.kernel_btf)
			text[0] = '\0';
		close(fd);
		if (!strcmp(text, name))
			return id;
	}
	return 0;
}

static u32 module_obj_id(struct dtx_env *env, const char *name)
{
	const char *question = arena_printf(env->arena, "btf.%s", name), *answer;
	u32 id;

	if (!machine_is_here(env)) {
		answer = machine_answer(env, question);
		return answer ? (u32)strtoul(answer, NULL, 10) : 0;
	}
	id = module_obj_here(name);
	machine_note(env, question, arena_printf(env->arena, "%u", id));
	return id;
}

/* An ELF file (EI_DATA), or BTF, whose magic number is in the order of its machine. */
static bool has_other_order(const char *path)
{
	char *data = NULL;
	size_t len;
	bool other = !file_read_named(path, &data, &len) && len >= 6 &&
		     (!memcmp(data, "\x7f" "ELF", 4) ? data[5] == 2 /* ELFDATA2MSB */ :
						      !memcmp(data, "\xeb\x9f", 2));

	free(data);
	return other;
}

int btf_check_file(struct dtx_env *env)
{
	static const struct failure refused = { .kind = DTX_FAILURE, .error = -EINVAL };
	const struct btf_obj *o;
	char *own = NULL;
	size_t len;
	bool other;

	if (!opt_is_set(env, OPT_btf))
		return 0;
	o = src_vmlinux(btf_src_open(env));
	if (!o && has_other_order(opt_text(env, OPT_btf)))
		return diags_fail(&env->diags, refused, "%s is of a machine with the other order "
				  "of bytes (big-endian) (-x btf)", opt_text(env, OPT_btf));
	if (!o)
		return diags_fail(&env->diags, refused, "%s has no types of a kernel: give a file "
				  "of BTF, or a vmlinux that has it (-x btf)",
				  opt_text(env, OPT_btf));
	other = !machine_read(env, BTF_DIR "/vmlinux", &own, &len) &&
		(len != o->len || memcmp(own, o->data, len));
	free(own);
	return !other ? 0 :
	       diags_fail(&env->diags, refused, "the kernel of %s has types of its own, and those "
			  "in %s are others: leave -x btf out", machine_name(env),
			  opt_text(env, OPT_btf));
}

/* The descriptions keep them: --describe. */
void btf_note_modules(struct btf_src *src)
{
	src_modules(src);
	for (u32 i = 0; i < src->modules.n; i++)
		module_obj_id(src->env, src->modules.v[i]->name);
}

/* ---- the type source ---------------------------------------------------------------- */

static struct type *src_type(struct type_source *ts, const char *module, const char *name,
			     u32 kinds)
{
	u32 id;
	struct btf_obj *o = src_find(ts->priv, module, name, kinds, &id);

	return o ? type_complete(btf_type_of(o, id)) : NULL;
}

/* Of types with a name, by enum type_kind. */
static const u32 named_kinds[] = {
	[T_STRUCT] = 1u << BTF_KIND_STRUCT, [T_UNION] = 1u << BTF_KIND_UNION,
	[T_ENUM] = ANY_ENUM,
	[T_TYPEDEF] = 1u << BTF_KIND_TYPEDEF | 1u << BTF_KIND_INT | 1u << BTF_KIND_FLOAT,
};

static struct type *src_by_name(struct type_source *ts, struct arena *a, enum type_kind what,
				const char *name)
{
	(void)a;
	if (what >= ARRAY_SIZE(named_kinds) || !named_kinds[what])
		return NULL;
	return src_type(ts, NULL, name, named_kinds[what]);
}

static struct type *src_function(struct type_source *ts, struct arena *a, const char *module,
				 const char *name)
{
	(void)a;
	return src_type(ts, module, name, 1u << BTF_KIND_FUNC);
}

static struct type *src_variable(struct type_source *ts, struct arena *a, const char *module,
				 const char *name)
{
	(void)a;
	return src_type(ts, module, name, 1u << BTF_KIND_VAR);
}

static bool enum_has(const struct btf_obj *o, const struct btf_type *t, const char *name)
{
	const u32 *word = (const u32 *)(t + 1);
	u32 step = BTF_INFO_KIND(t->info) == BTF_KIND_ENUM ? sizeof(struct btf_enum)
							   : sizeof(struct btf_enum64);

	if (!(ANY_ENUM >> BTF_INFO_KIND(t->info) & 1))
		return false;
	for (u32 i = 0; i < BTF_INFO_VLEN(t->info); i++)  /* the first word of both is the name */
		if (!strcmp(btf_str(o, word[i * step / sizeof(*word)]), name))
			return true;
	return false;
}

/* Of vmlinux, not of modules. */
static struct type *src_enumerator(struct type_source *ts, const char *name)
{
	struct btf_obj *o = src_vmlinux(ts->priv);

	for (u32 id = 1; o && *name && id < o->end_id; id++)
		if (enum_has(o, btf_at(o, id), name))
			return type_complete(btf_type_of(o, id));
	return NULL;
}

struct btf_src *btf_src_open(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);
	struct btf_src *src = sym->btf;

	if (src)
		return src;
	if (machine_access(env, BTF_DIR "/vmlinux", R_OK) && !opt_is_set(env, OPT_ctfpath) &&
	    !opt_is_set(env, OPT_btf))
		return NULL;
	src = sym->btf = xcalloc(1, sizeof(*src));
	src->env = env;
	src->types = (struct type_source){
		.name = "kernel BTF", .is_kernel = true, .by_name = src_by_name,
		.function = src_function, .variable = src_variable,
		.enumerator = src_enumerator, .priv = src,
	};
	return src;
}

void btf_src_free(struct btf_src *src)
{
	if (!src)
		return;
	for (u32 i = 0; i < src->modules.n; i++)
		btf_obj_free(src->modules.v[i]);
	VEC_FREE(&src->modules);
	btf_obj_free(src->vmlinux);
	symtabs_get(src->env)->btf = NULL;
	free(src);
}

struct type_source *btf_src_types(struct btf_src *src)
{
	return src ? &src->types : NULL;
}

bool btf_src_used_modules(const struct btf_src *src)
{
	return src && src->used_modules;
}

u32 btf_vmlinux_func(struct btf_src *src, const char *name)
{
	u32 id;

	return src && src_find(src, "vmlinux", name, 1u << BTF_KIND_FUNC, &id) ? id : 0;
}

u32 btf_func_id(struct btf_src *src, const char *name, const char **module, u32 *obj_id)
{
	u32 id;
	struct btf_obj *o = src ? src_find(src, NULL, name, 1u << BTF_KIND_FUNC, &id) : NULL;

	if (!o)
		return 0;
	if (module)
		*module = o->name;
	if (obj_id && o->base && !o->obj_id)
		o->obj_id = module_obj_id(src->env, o->name);
	if (obj_id)
		*obj_id = o->obj_id;
	return id;
}

/* Argument names are lost in the typedef; the function __traceiter_NAME has them. */
static struct type *rawtp_proto(struct btf_src *src, struct btf_obj *o, u32 id, const char *name,
				struct arena *a)
{
	struct type *ptr = type_base(btf_type_of(o, id)), *f, *named, *t;
	u32 fid;

	f = ptr && ptr->kind == T_PTR ? type_complete(ptr->to) : NULL;
	if (!f || f->kind != T_FUNC || !f->count)
		return NULL;
	o = src_find(src, o->name, arena_printf(a, "__traceiter_%s", name), 1u << BTF_KIND_FUNC,
		     &fid);
	named = o ? type_complete(btf_type_of(o, fid)) : NULL;
	if (named && named->kind == T_FUNC && named->count == f->count)
		f = named;
	t = arena_memdup(a, f, sizeof(*t));
	t->params = f->params + 1;
	t->count = f->count - 1;
	return t;
}

u32 btf_rawtp_id(struct btf_src *src, const char *name, struct type **proto, struct arena *a)
{
	char text[256];
	struct btf_obj *o;
	u32 id;

	snprintf(text, sizeof(text), "btf_trace_%s", name);
	o = src ? src_find(src, NULL, text, 1u << BTF_KIND_TYPEDEF, &id) : NULL;
	if (!o)
		return 0;
	if (proto)
		*proto = rawtp_proto(src, o, id, name, a);
	return id;
}

struct type *btf_event_type(struct btf_src *src, const char *event, enum type_kind what,
			    const char *name)
{
	char text[256];
	struct btf_obj *o;
	u32 id;

	snprintf(text, sizeof(text), "btf_trace_%s", event);
	o = src ? src_find(src, NULL, text, 1u << BTF_KIND_TYPEDEF, &id) : NULL;
	return o && o != src_vmlinux(src) ? src_type(&src->types, o->name, name, named_kinds[what])
					  : NULL;
}

int btf_each_func(struct btf_src *src, int (*fn)(void *arg, const char *name, u32 id), void *arg)
{
	struct btf_obj *o = src ? src_vmlinux(src) : NULL;
	int err = 0;

	for (u32 id = 1; o && id < o->end_id && !err; id++) {
		const struct btf_type *t = btf_at(o, id);

		if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC)
			err = fn(arg, btf_str(o, t->name_off), id);
	}
	return err;
}
