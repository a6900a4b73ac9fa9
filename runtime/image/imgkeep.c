/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgkeep.c - images in files (--image, -r): records what an image was made for, and checks whether
 * it fits this machine.
 *
 * The code holds offsets and numbers of one kernel and of the probed objects.  Some are valid only
 * until the next boot: numbers of events, modules and processes.  The manifest records all this,
 * and an image that does not fit is refused, because it would trace the wrong place.
 * Why: docs/decisions/29-images-on-request.md
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <dtx/progkind.h>
#include <dtx/optrow.h>

#include "runtime/code/code.h"
#include "runtime/image/image.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"

/* ---- the kernel -------------------------------------------------------------------- */

/* FNV-1a, 64 bits. */
static u64 keep_hash(const char *data, size_t len)
{
	u64 h = 0xcbf29ce484222325;

	while (len--)
		h = (h ^ (u8)*data++) * 0x100000001b3;
	return h;
}

#define SEAL_MAGIC "DTXHASH1"

struct img_seal img_seal(const void *elf, size_t len)
{
	struct img_seal seal = { .hash = keep_hash(elf, len) };

	memcpy(seal.magic, SEAL_MAGIC, sizeof(seal.magic));
	return seal;
}

const char *img_unseal(const void *file, size_t *len)
{
	struct img_seal seal, right;
	size_t n = *len;

	if (n < 4 || memcmp(file, "\177ELF", 4))
		return NULL;             /* no image: img_read() says what it is not */
	if (n >= sizeof(seal))
		memcpy(&seal, (const char *)file + n - sizeof(seal), sizeof(seal));
	if (n < sizeof(seal) || memcmp(seal.magic, SEAL_MAGIC, sizeof(seal.magic)))
		return "it does not end as an image does: it was cut short or altered, or another "
		       "version of dtx made it; make it again with --image FILE";
	*len = n - sizeof(seal);
	right = img_seal(file, *len);
	return right.hash == seal.hash ? NULL :
	       "it was altered after it was made: its bytes do not have the hash at its end; make "
	       "it again with --image FILE";
}

/* Release, version and the notes of the kernel, its build id among them. */
static const char *keep_kernel(struct dtx_env *env)
{
	const struct utsname *u = machine_uname(env);
	char *notes = NULL;
	size_t len = 0;

	u64 id = machine_read(env, "/sys/kernel/notes", &notes, &len) ? 0 : keep_hash(notes, len);
	free(notes);
	return arena_printf(env->arena, "%s %s %016llx", u->release, u->version,
			    (unsigned long long)id);
}

static const char *keep_boot(struct dtx_env *env)
{
	char *text = NULL;
	size_t len;

	if (machine_read(env, "/proc/sys/kernel/random/boot_id", &text, &len))
		return "";
	const char *id = arena_strndup(env->arena, text, strcspn(text, "\n"));
	free(text);
	return id;
}

/* Does it hold numbers that change with each boot? */
static bool keep_is_of_boot(const struct dtx_probe *p)
{
	bool address = p->provider == provider_by_name("watchpoint");

	return p->prog.btf_obj_id || progkinds[p->prog.kind].context == KIND_CTX_EVENT ||
	       p->place.pid > 0 || address;
}

/* ---- the objects --------------------------------------------------------------------- */

static bool keep_is_user(const struct dtx_probe *p)
{
	return kind_is(p->prog.kind, KIND_USER) && p->place.target;
}

/* Size and time of change; false: no such file. */
static bool keep_stat(const char *path, struct img_file *f)
{
	struct stat st;

	*f = (struct img_file){ .path = path };
	if (file_stat_object(path, &st))
		return false;
	f->size = st.st_size;
	f->mtime = st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec;
	return true;
}

static void keep_objects(struct img *img)
{
	struct map *seen = map_new();

	img->files = ARENA_ARRAY(img->arena, struct img_file, img->nprobes);
	for (u32 i = 0; i < img->nprobes; i++) {
		const struct dtx_probe *p = img_probe(img, i);

		if (!keep_is_user(p) || map_get(seen, p->place.target))
			continue;
		map_set(seen, p->place.target, img);
		keep_stat(p->place.target, &img->files[img->nfiles++]);
	}
	map_free(seen);
}

/* ---- options ---------------------------------------------------------------------------- */

/* Keeps all options given in the program or by the user: the image behaves like the program. */
static void keep_options(struct dtx_env *env, struct img *img)
{
	img->options = ARENA_ARRAY(img->arena, struct img_option, opt_nrows);
	img->noptions = 0;
	for (u32 i = 0; i < opt_nrows; i++)
		if (opt_is_set(env, i) && !opt_rows[i].here)
			img->options[img->noptions++] =
				(struct img_option){ opt_rows[i].name, opt_text(env, i) };
}

static const struct img_option *keep_option(const struct img *img, const char *name)
{
	for (u32 i = 0; i < img->noptions; i++)
		if (!strcmp(img->options[i].name, name))
			return &img->options[i];
	return NULL;
}

/* Compiled-in options cannot be changed; for the others the user's value is used, else that of
 * the image.  Those of this place no image has: one that was changed does not set them. */
int img_apply_options(struct dtx_env *env, const struct img *img)
{
	int err = 0;

	for (u32 i = 0; i < opt_nrows && !err; i++) {
		const struct opt_row *row = &opt_rows[i];
		const struct img_option *o = keep_option(img, row->name);
		const char *given = opt_text(env, i);

		if (row->here)
			continue;
		if (!opt_is_set(env, i))
			err = o ? env_set_option(env, o->name, o->value) : 0;
		else if (row->when == OPTW_COMPILE && !row->idle &&
			 (!o || strcmp(o->value ? o->value : "", given ? given : "")))
			err = dtx_env_fail(
				env, -EINVAL,
				"the option %s is part of an image's code, and this image was "
				"compiled with %s%s: compile the program again",
				row->name, o ? "" : "its default",
				o ? o->value ? o->value : "it" : "");
	}
	return err;
}

/* ---- making and taking ------------------------------------------------------------------- */

void img_bind(struct dtx_env *env, struct img *img)
{
	img->kernel = keep_kernel(env);
	img->pidns = env->pidns;
	bool of_boot = btf_src_used_modules(btf_src_open(env));
	for (u32 i = 0; i < img->nprobes && !of_boot; i++)
		of_boot = keep_is_of_boot(img_probe(img, i));
	if (of_boot)
		img->boot = keep_boot(env);
	keep_objects(img);
	keep_options(env, img);
}

static const char *keep_other_files(struct dtx_env *env, const struct img *img)
{
	for (u32 i = 0; i < img->nfiles; i++) {
		const struct img_file *f = &img->files[i];
		struct img_file now;

		codefile_at(env, f->path);       /* the probes are set in this one, or not at all */
		if (!keep_stat(f->path, &now))
			return arena_printf(env->arena,
					    "the image probes %s, which cannot be read: %s",
					    f->path, strerror(errno));
		if (now.size != f->size || now.mtime != f->mtime)
			return arena_printf(env->arena, "the image was made for another %s than "
							"the present one: compile the program "
							"again",
					    f->path);
	}
	return NULL;
}

const char *img_misfit(struct dtx_env *env, const struct img *img)
{
	const char *here = keep_kernel(env);

	if (!img->kernel)
		return "the image does not say what kernel it was made for: compile the program "
		       "again";
	if (strcmp(img->kernel, here))
		return arena_printf(
			env->arena,
			"the image was made for the kernel %s, but this is %s: compile the program "
			"on this kernel",
			img->kernel, here);
	if (img->boot && strcmp(img->boot, keep_boot(env)))
		return "the image holds numbers of events, modules or processes, which changed "
		       "when the machine was restarted: compile the program again";
	if (img->pidns != env->pidns)
		return "the image was made in another pid namespace: compile the program in this "
		       "one";
	return keep_other_files(env, img);
}
