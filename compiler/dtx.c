/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx.c - the compiling part of the public interface (dtx.h): programs are collected, compiled,
 * listed, dumped, written to images.
 *
 * Even if one process compiles and runs, the image is between the two: the result of the
 * compiler is read from its ELF bytes.
 */
#include <dtx.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx/compile.h>
#include <dtx/handle.h>
#include <dtx/opt.h>

/* The programs of a handle, in its arena; their texts, in the same order, are env->texts. */
struct programs {
	struct dtx_program *v;
	u32 n;
};

/* ---- programs ---------------------------------------------------------------------- */

static struct programs *programs_of(struct dtx_env *env)
{
	if (!env->programs)
		env->programs = ARENA_NEW(env->arena, struct programs);
	return env->programs;
}

int dtx_program_add(struct dtx *d, enum dtx_prog kind, const char *name, const char *text,
		    size_t len)
{
	static const u32 align[] = {
		[DTX_PROG_SCRIPT] = 4, [DTX_PROG_PROVIDER] = 1, [DTX_PROG_MODULE] = 2,
		[DTX_PROG_FUNCTION] = 3, [DTX_PROG_NAME] = 4, [DTX_PROG_ID] = 4,
	};
	struct dtx_env *env = handle_env(d);
	struct programs *ps = programs_of(env);

	if (len > INT32_MAX)
		return diags_told(&env->diags,
				  dtx_env_fail(env, -EFBIG, "the program %s is too large", name));
	struct source *src = source_open(env->arena, name, text, len, kind == DTX_PROG_SCRIPT);
	src->index = ps->n;
	ARENA_PUSH(env->arena, ps->v, ps->n, ((struct dtx_program){
		.src = src, .align = align[kind],
		.is_script = kind == DTX_PROG_SCRIPT, .is_id = kind == DTX_PROG_ID,
	}));
	ARENA_PUSH(env->arena, env->texts, env->ntexts, src);
	return 0;
}

/* What a word that is no script may be instead. */
static const char *program_instead(struct dtx_env *env, const char *name)
{
	const char *tool = env->diags.tool;

	if (!strncmp(name, "struct ", 7))
		return arena_printf(env->arena, " (types are not listed: try 'pahole -C %s')",
				    name + 7);
	if (!strpbrk(name, "{:*"))
		return "";
	if (strchr(name, '{'))
		return arena_printf(env->arena, " (a program is given with -n: %s -n '%s'; to list "
				    "probes, use -ln)", tool, name);
	return arena_printf(env->arena, " (a program is given with -n: %s -n '%s'; to list probes, "
			    "use -ln: %s -ln '%s')", tool, name, tool, name);
}

/* Adds a text that was read; `err`: why it was not. */
static int program_add_read(struct dtx *d, const char *name, char *text, size_t len, int err)
{
	struct dtx_env *env = handle_env(d);

	if (err)
		dtx_env_fail(env, err, "cannot read the script %s: %s%s", name, file_why(-err),
			     program_instead(env, name));
	else
		err = dtx_program_add(d, DTX_PROG_SCRIPT, name, text, len);
	free(text);
	return diags_told(&env->diags, err);
}

int dtx_program_file(struct dtx *d, const char *path)
{
	char *text = NULL;
	size_t len = 0;
	int err = file_read_named(path, &text, &len);

	return program_add_read(d, path, text, len, err);
}

int dtx_program_fd(struct dtx *d, const char *name, int fd)
{
	char *text = NULL;
	size_t len = 0;
	int err = file_read_fd(fd, &text, &len);

	return program_add_read(d, name, text, len, err);
}

int dtx_set_args(struct dtx *d, int argc, const char *const *argv)
{
	struct dtx_env *env = handle_env(d);

	env->nargs = argc;
	env->args = ARENA_ARRAY(env->arena, const char *, argc + 1);
	for (int i = 0; i < argc; i++)
		env->args[i] = arena_strdup(env->arena, argv[i]);
	return 0;
}

int dtx_set_param(struct dtx *d, const char *name, const char *value)
{
	struct dtx_env *env = handle_env(d);
	struct dtx_param p = { .name = arena_strdup(env->arena, name),
			       .value = arena_strdup(env->arena, value) };

	ARENA_PUSH(env->arena, env->params, env->nparams, p);
	return 0;
}

/* ---- compiling ----------------------------------------------------------------------- */

/* NULL: an error was reported, or there is nothing to make.  What is made lives in that arena. */
static struct img *program_build(struct dtx *d, struct arena *arena,
				 const struct compile_opts *opts)
{
	struct dtx_env *env = handle_env(d);
	struct programs *ps = programs_of(env);
	struct img *made = handle_check_machine(d) ? NULL :
			   dtx_compile_image(env, ps->v, ps->n, arena, opts);

	machine_tell(env);
	return handle_check_types(d) ? made : NULL;
}

static int program_expect(struct dtx_env *env)
{
	return programs_of(env)->n ? 0 : dtx_env_fail(env, -EINVAL, "no probes specified");
}

static bool program_is_bad(const struct dtx_env *env)
{
	return env->diags.nerrors || diags_failed(&env->diags);
}

/* Options tree, verbose (-S) and disasm: the stages shown before a program runs. */
static const char *program_shown_stages(struct dtx_env *env)
{
	const struct opt_value *v = env->opts->v;
	s64 tree = v[OPT_tree].n, code = v[OPT_verbose].n ? v[OPT_disasm].n : 0;

	if (!(tree & 3) && !(code & 15))
		return NULL;
	return arena_printf(env->arena, "%s%s%s%s%s", tree & 1 ? "ast," : "",
			    tree & 2 ? "typed," : "", code & 1 ? "plan," : "",
			    code & 2 ? "llvm," : "", code & 12 ? "bpf," : "");
}

/* All that a compilation is given, except the machine. */
static void program_key(struct dtx_env *env, struct buf *key)
{
	const struct programs *ps = programs_of(env);

	buf_printf(key, "%s\n", dtx_version());
	options_changes(options_new(env->arena), env->opts, key);
	for (u32 i = 0; i < ps->n; i++) {
		const struct dtx_program *p = &ps->v[i];

		buf_printf(key, "program %u %d %d %u %zu %s\n", p->align, p->is_script, p->is_id,
			   p->src->len, strlen(p->src->name), p->src->name);
		buf_add(key, p->src->text, p->src->len);
	}
	for (int i = 0; i < env->nargs; i++)
		buf_printf(key, "operand %zu %s\n", strlen(env->args[i]), env->args[i]);
	for (u32 i = 0; i < env->nparams; i++)
		buf_printf(key, "param %s %zu %s\n", env->params[i].name,
			   strlen(env->params[i].value), env->params[i].value);
}

/* NULL: nothing is looked for or kept.  Processes, other machines and their types are asked for
 * more than a key has. */
static struct img_cache *program_cache(struct dtx *d, const struct compile_opts *opts)
{
	struct dtx_env *env = handle_env(d);
	struct img_cache *cache;
	struct buf key = { 0 };

	if (!opt_num(env, OPT_cache) || opts->dump || env->machine || opt_is_set(env, OPT_btf) ||
	    dtx_has_target(d))
		return NULL;
	program_key(env, &key);
	cache = img_cache_open(env, &key);
	buf_free(&key);
	return cache;
}

/* Who may not run it is told where its text says what it does, and that is found by compiling. */
static bool program_is_refused(const struct dtx_env *env, const struct img *made)
{
	return made->destructive && !opt_num(env, OPT_destructive);
}

int dtx_compile(struct dtx *d)
{
	struct dtx_env *env = handle_env(d);
	struct arena *building;
	struct buf shown = { 0 };
	struct compile_opts opts = { .dump = program_shown_stages(env), .dumped = &shown };
	struct img kept = { 0 }, *made = &kept;
	int err = -EINVAL;

	if (program_expect(env) || handle_check_filters(d))
		return diags_told(&env->diags, -EINVAL);
	building = env->building = arena_new();
	struct img_cache *cache = program_cache(d, &opts);
	kept.elf = cache ? img_cache_found(cache, &kept.elf_len) : NULL;
	if (!kept.elf)
		made = program_build(d, building, &opts);
	if (cache)
		img_cache_close(cache, made && !program_is_refused(env, made) ? made : NULL);
	diags_show(&env->diags, &shown);
	buf_free(&shown);
	if (made)
		err = handle_take_image(d, made);
	env->building = NULL;
	arena_free(building);
	return diags_told(&env->diags, err);
}

static int image_write_file(struct dtx_env *env, const char *path, const void *data, size_t len)
{
	const char *key = opt_text(env, OPT_sign);
	struct img_seal seal;
	struct buf all = { 0 };
	int err;

	buf_add(&all, data, len);
	err = key && *key ? img_sign(env, key, data, len, &all) : 0;
	seal = img_seal(all.data, all.len);
	buf_add(&all, (const char *)&seal, sizeof(seal));
	err = err ? err : env_put_file(env, path, false, all.data, all.len);
	buf_free(&all);
	return err;
}

int dtx_image_write(struct dtx *d, const char *path)
{
	struct compile_opts opts = { .keep = true };
	struct dtx_env *env = handle_env(d);

	if (program_expect(env) || handle_check_targets(d) || handle_check_filters(d))
		return diags_told(&env->diags, -EINVAL);
	struct img *made = program_build(d, handle_env(d)->arena, &opts);
	return diags_told(&env->diags, made ? image_write_file(env, path, made->elf, made->elf_len)
					    : -EINVAL);
}

/* ---- other results --------------------------------------------------------------- */

int dtx_dump(struct dtx *d, const char *stages, FILE *out)
{
	static const char *const order[] = { "bpf", "llvm", "plan", "typed", "ast" };
	struct dtx_env *env = handle_env(d);
	struct buf text = { 0 };
	struct compile_opts opts = { .dump = stages, .dumped = &text };

	for (u32 i = 0; i < ARRAY_SIZE(order) && !opts.stop_after; i++)
		if (strstr(stages, order[i]))
			opts.stop_after = order[i];
	if (!opts.stop_after)
		dtx_env_fail(env, -EINVAL,
			     "there is no stage '%s': give some of ast, typed, plan, llvm, bpf",
			     stages);
	if (!opts.stop_after || program_expect(env))
		return diags_told(&env->diags, -EINVAL);
	program_build(d, handle_env(d)->arena, &opts);
	if (text.len)
		fwrite(text.data, 1, text.len, out);
	buf_free(&text);
	return diags_told(&env->diags, program_is_bad(env) ? -EINVAL : 0);
}

void dtx_tokens(struct dtx *d, void (*fn)(void *arg, int token, size_t from, size_t to),
		void *arg)
{
	struct compile_opts opts = { .token = fn, .token_arg = arg };

	program_build(d, handle_env(d)->arena, &opts);
	diags_take(&handle_env(d)->diags, "");
}

/* All of it, or a file stays as it was; behind what is there already if it is no file, or not at
 * its begin. */
static int put_anew(FILE *out, const void *data, size_t len)
{
	int fd = fflush(out) ? -1 : fileno(out);

	if (fd < 0 || fcntl(fd, F_GETFL) & O_APPEND || lseek(fd, 0, SEEK_CUR))
		return fwrite(data, 1, len, out) == len ? 0 : -EIO;
	return file_put(fd, data, len);
}

int dtx_header(struct dtx *d, FILE *out)
{
	struct dtx_env *env = handle_env(d);
	struct buf text = { 0 };
	struct compile_opts opts = { .header = &text };
	int err = 0;

	program_build(d, handle_env(d)->arena, &opts);
	if (!program_is_bad(env))
		err = put_anew(out, text.data, text.len);
	if (err)
		err = dtx_env_fail(env, err, "cannot write the header: %s", strerror(-err));
	buf_free(&text);
	return diags_told(&env->diags, program_is_bad(env) ? -EINVAL : err);
}

/* The declarations are checked as for -h. */
int dtx_object(struct dtx *d, FILE *out)
{
	struct dtx_env *env = handle_env(d);
	struct buf header = { 0 }, object = { 0 };
	struct compile_opts opts = { .header = &header };
	int err = 0;

	program_build(d, handle_env(d)->arena, &opts);
	linkobj_make(&object);
	if (!program_is_bad(env))
		err = put_anew(out, object.data, object.len);
	if (err)
		err = dtx_env_fail(env, err, "cannot write the object: %s", strerror(-err));
	buf_free(&header);
	buf_free(&object);
	return diags_told(&env->diags, program_is_bad(env) ? -EINVAL : err);
}

/* ---- listing ------------------------------------------------------------------------- */

/* A description that matches nothing is reported, but the list does not fail. */
static void list_none(struct dtx_env *env, const char *text, const char *why)
{
	dtx_env_fail(env, -ENOENT, "no probe matches '%s'%s", text, why);
	diags_told(&env->diags, -ENOENT);
}

/* One description of a list; blanks around it do not count. */
static int list_one(struct dtx_env *env, struct lister *l, const struct dtx_program *p, char *text)
{
	struct dtx_pattern pat = { "", "", "", "", 0, false };
	const char *err = NULL;

	while (strchr(" \t\r\n", *text) && *text)
		text++;
	for (char *end = text + strlen(text); end > text && strchr(" \t\r\n;", end[-1]);)
		*--end = '\0';
	if (p->is_id) {
		char *end;

		pat.id = strtoul(text, &end, 0);
		if (!isdigit((unsigned char)*text) || *end)
			return dtx_env_fail(env, -EINVAL,
					    "-i takes the number of a probe, not '%s'", text);
	} else if (provider_parse(env->arena, text, p->align, &pat, &err))
		return dtx_env_fail(env, -EINVAL, "invalid probe specifier '%s': %s", text,
				    err ? err : "it is not a probe description");
	u32 before = lister_count(l);
	int bad = lister_pattern(l, &pat);
	if (bad < 0 || lister_count(l) > before)
		return bad;
	const char *near = NULL, *why = p->is_id ? NULL : provider_missing(env, &pat);
	if (why)
		why = arena_printf(env->arena, ": %s", why);
	else if (!p->is_id && provider_nearest(env, &pat, &near, 1) > 0)
		why = arena_printf(env->arena, "; did you mean '%s'?", near);
	if (p->is_id || p->align < 3)
		return dtx_env_fail(env, -ENOENT, "no %s matches '%s'%s",
				    p->is_id ? "probe" : p->align == 1 ? "provider" : "module",
				    text, why ? why : "");
	list_none(env, text, why ? why : "");
	return 0;
}

static int list_texts(struct dtx_env *env, struct lister *l, const struct dtx_program *p)
{
	char *save = NULL, *text = arena_strdup(env->arena, p->src->text);
	int first = 0;

	for (char *t = strtok_r(text, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		int err = diags_told(&env->diags, list_one(env, l, p, t));
		if (err && !first)
			first = err;
	}
	return first;
}

/* Programs with clauses or macro variables are compiled; bare descriptions need only the
 * providers. */
static int list_programs(struct dtx *d, struct lister *l)
{
	struct dtx_env *env = handle_env(d);
	struct programs *ps = programs_of(env);
	struct compile_opts opts = { .listed = true };
	bool bodies = false;
	int err = 0;

	for (u32 i = 0; i < ps->n; i++)
		bodies |= ps->v[i].is_script || strpbrk(ps->v[i].src->text, "{$");
	for (u32 i = 0; i < ps->n && !bodies; i++) {
		int one = list_texts(env, l, &ps->v[i]);
		err = err ? err : one;
	}
	if (!bodies)
		return err;
	dtx_set_option(d, "zdefs", NULL);
	struct img *img = program_build(d, handle_env(d)->arena, &opts);
	for (u32 i = 0; img && i < img->nlisted && !err; i++)
		err = lister_probe(l, img->listed[i]);
	for (u32 i = 0; img && i < img->ndescs && !err; i++)
		if (!img->descs[i].nprobes)
			list_none(env, img->descs[i].text, "");
	return img ? err : -EINVAL;
}

int dtx_list(struct dtx *d, bool verbose, FILE *out)
{
	const struct dtx_pattern all = { "", "", "", "", 0, false };
	struct dtx_env *env = handle_env(d);
	struct lister *l = lister_new(env, verbose, out);

	env->listing = true;
	int err = handle_check_machine(d);
	if (!err)
		err = programs_of(env)->n ? list_programs(d, l) : lister_pattern(l, &all);
	machine_tell(env);
	if (err == -ENOENT || err == -EINVAL)
		lister_forget_head(l);
	lister_free(l);
	env->listing = false;
	if (!ferror(out))
		return diags_told(&env->diags, MIN(err, 0));
	if (err == -EPIPE)               /* the reader had enough */
		return 0;
	return diags_told(&env->diags, env_fail_output(env, err, fileno(out)));
}
