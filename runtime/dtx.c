/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx.c - the public interface: the handle, and the order in which the parts are called.
 *
 * Between compiling and running stands the image, also when both happen in one process:
 * what the compiler gives is read back from its ELF bytes.
 */
#include <dtx.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/libbpf.h>
#include <dtx/compile.h>

#include "runtime/runtime.h"

struct dtx {
	struct dtx_env env;
	VEC(struct dtx_program) programs;
	VEC(const struct source *) texts;        /* of the programs, same order */
	char *bytes;                             /* of an image that was read from a file */
	struct img *img;                         /* after dtx_compile() or dtx_image_open() */
	VEC(struct target *) targets;            /* of -c and -p */
	bool grabbed;                            /* one of them by -p */
	struct dtx_session *volatile ses;        /* after dtx_start() */
	volatile sig_atomic_t interrupts, by_key;
	s32 exit_status;
	u32 reported;                            /* refused probes already in messages */
	struct buf said;                         /* all messages so far */
	size_t shown;                            /* bytes of rendered diagnostics in `said` */
};

static const struct range dtx_nowhere;

/* ---- the handle ------------------------------------------------------------------ */

struct dtx *dtx_open(void)
{
	struct dtx *d = xcalloc(1, sizeof(*d));

	libbpf_set_print(NULL);          /* what matters of its messages is part of ours */
	env_open(&d->env);
	return d;
}

void dtx_set_name(struct dtx *d, const char *name)
{
	d->env.tool = name;
}

void dtx_close(struct dtx *d)
{
	if (!d)
		return;
	struct dtx_session *s = d->ses;
	d->ses = NULL;
	session_free(s);
	for (u32 i = 0; i < d->targets.n; i++)
		target_free(d->targets.v[i]);
	VEC_FREE(&d->targets);
	VEC_FREE(&d->programs);
	VEC_FREE(&d->texts);
	buf_free(&d->said);
	free(d->bytes);
	env_close(&d->env);
	free(d);
}

const char *dtx_version(void)
{
	return "dtx D 1.0";
}

/* Each call adds what is new, so that the text only grows. */
const char *dtx_errors(struct dtx *d, bool colour)
{
	struct buf text = { 0 };

	diags_render(&d->env.diags, &text, colour);
	if (text.len > d->shown)
		buf_add(&d->said, text.data + d->shown, text.len - d->shown);
	d->shown = MAX(d->shown, text.len);
	buf_free(&text);
	if (d->env.error)
		buf_printf(&d->said, "%s: %s\n", d->env.tool, d->env.error);
	free(d->env.error);
	d->env.error = NULL;
	return d->said.data ? d->said.data : "";
}

static bool dtx_quiet(const struct dtx *d)
{
	return d->env.opts.v[OPT_quiet].n;
}

/* ---- settings ------------------------------------------------------------------------ */

int dtx_set_option(struct dtx *d, const char *name, const char *value)
{
	return env_set_option(&d->env, name, value);
}

int dtx_rights(struct dtx *d)
{
	return env_check_rights(&d->env);
}

int dtx_drop_rights(struct dtx *d)
{
	return env_drop_rights(&d->env);
}

int dtx_features(struct dtx *d, FILE *out)
{
	return doctor_print_features(&d->env, out);
}

int dtx_doctor(struct dtx *d, FILE *out)
{
	return doctor_print(&d->env, out);
}

int dtx_program_add(struct dtx *d, enum dtx_prog kind, const char *name, const char *text,
		    size_t len)
{
	static const u32 align[] = {
		[DTX_PROG_SCRIPT] = 4, [DTX_PROG_PROVIDER] = 1, [DTX_PROG_MODULE] = 2,
		[DTX_PROG_FUNCTION] = 3, [DTX_PROG_NAME] = 4, [DTX_PROG_ID] = 4,
	};

	if (len > INT32_MAX)
		return dtx_env_fail(&d->env, -EFBIG, "the program %s is too large", name);
	struct source *src = source_open(d->env.arena, name, text, len, kind == DTX_PROG_SCRIPT);
	struct dtx_program p = {
		.src = src, .align = align[kind],
		.is_script = kind == DTX_PROG_SCRIPT, .is_id = kind == DTX_PROG_ID,
	};
	src->index = d->programs.n;
	VEC_PUSH(&d->programs, p);
	VEC_PUSH(&d->texts, src);
	d->env.texts = d->texts.v;
	d->env.ntexts = d->texts.n;
	return 0;
}

int dtx_program_file(struct dtx *d, const char *path)
{
	bool standard = !strcmp(path, "-");
	char *text = NULL;
	size_t len;

	int err = standard ? file_read_fd(0, &text, &len) : file_read(path, &text, &len);
	if (err)
		return dtx_env_fail(&d->env, err, "cannot read the script %s: %s%s", path,
				    strerror(-err), strpbrk(path, "{:*") ? " (a program is given "
				    "with -n, what -l is to list with -ln)" : "");
	err = dtx_program_add(d, DTX_PROG_SCRIPT, standard ? "/dev/stdin" : path, text, len);
	free(text);
	return err;
}

int dtx_set_args(struct dtx *d, int argc, const char *const *argv)
{
	d->env.nargs = argc;
	d->env.args = ARENA_ARRAY(d->env.arena, const char *, argc + 1);
	for (int i = 0; i < argc; i++)
		d->env.args[i] = arena_strdup(d->env.arena, argv[i]);
	return 0;
}

int dtx_target_run(struct dtx *d, const char *cmd)
{
	struct target *t = target_run(&d->env, cmd);

	if (!t)
		return -ENOENT;
	VEC_PUSH(&d->targets, t);
	return 0;
}

int dtx_target_grab(struct dtx *d, int pid)
{
	struct target *t = target_grab(&d->env, pid);

	if (!t)
		return -ESRCH;
	VEC_PUSH(&d->targets, t);
	d->grabbed = true;
	return 0;
}

bool dtx_has_target(const struct dtx *d)
{
	return d->targets.n;
}

/* ---- compiling --------------------------------------------------------------------------- */

/* Run-time options that the program's pragmas set; the others are done with. */
static int dtx_apply_pragmas(struct dtx *d)
{
	for (u32 i = 0; i < d->img->noptions; i++) {
		int err = env_set_option(&d->env, d->img->options[i].name,
					 d->img->options[i].value);
		if (err)
			return err;
	}
	return 0;
}

/* Only what is enabled needs the permission: not -e, not -l, and it may be given behind the action. */
static int dtx_permit(struct dtx *d)
{
	struct diag *diag;

	if (!d->img->destructive || d->env.opts.v[OPT_destructive].n)
		return 0;
	if (!d->env.destructive)                 /* an image: there is no text to point at */
		return dtx_env_fail(&d->env, -EPERM, "the image has destructive actions, which are not allowed: allow them with -w");
	diag = diag_error(&d->env.diags, DIAG_NONE, d->env.destructive_at,
			  "%s() is destructive, which is not allowed", d->env.destructive);
	diag_hint(&d->env.diags, diag, "allow it with -w or #pragma D option destructive");
	return -EPERM;
}

int dtx_enable(struct dtx *d)
{
	int err = dtx_permit(d);

	if (err)
		return err;
	for (u32 i = 0; i < d->img->ndescs && !dtx_quiet(d); i++) {
		const struct img_desc *m = &d->img->descs[i];
		buf_printf(&d->said, "%s: %s '%s' matched %u probe%s\n", d->env.tool,
			   m->is_script ? "script" : "description", m->text, m->nprobes,
			   m->nprobes == 1 ? "" : "s");
	}
	if (d->env.opts.v[OPT_destructive].n && !dtx_quiet(d))
		buf_printf(&d->said, "%s: allowing destructive actions\n", d->env.tool);
	return 0;
}

static struct img *dtx_build(struct dtx *d, const struct compile_opts *opts)
{
	struct img *made = dtx_compile_image(&d->env, d->programs.v, d->programs.n, d->env.arena, opts);

	return dwarf_check(&d->env) ? made : NULL;
}

/* Options tree, verbose (-S) and disasm: what is shown of a program before it runs. */
static const char *dtx_shown_stages(const struct dtx *d)
{
	const struct opt_value *v = d->env.opts.v;
	s64 tree = v[OPT_tree].n, code = v[OPT_verbose].n ? v[OPT_disasm].n : 0;

	if (!(tree & 3) && !(code & 15))
		return NULL;
	return arena_printf(d->env.arena, "%s%s%s%s%s", tree & 1 ? "ast," : "", tree & 2 ? "typed," : "",
			    code & 1 ? "plan," : "", code & 2 ? "llvm," : "", code & 12 ? "bpf," : "");
}

int dtx_compile(struct dtx *d)
{
	struct buf shown = { 0 };
	struct compile_opts opts = { .dump = dtx_shown_stages(d), .dumped = &shown };
	const char *err = NULL;

	if (!d->programs.n)
		return dtx_env_fail(&d->env, -EINVAL, "no probes specified");
	if (filter_check(&d->env, d->grabbed))
		return -EINVAL;
	struct img *made = dtx_build(d, &opts);
	if (shown.len)
		buf_add(&d->said, shown.data, shown.len);
	buf_free(&shown);
	if (!made)
		return -EINVAL;
	d->img = img_read(d->env.arena, made->elf, made->elf_len, &err);
	if (!d->img)
		return dtx_env_fail(&d->env, -EINVAL, "%s", err);
	return dtx_apply_pragmas(d);
}

/* ---- images in files ----------------------------------------------------------------------- */

/* What is filtered by a process is compiled in, and that process will be gone. */
static int dtx_check_keeping(struct dtx *d)
{
	if (!d->targets.n)
		return 0;
	return dtx_env_fail(&d->env, -EINVAL, "an image is for no process in particular: -c and -p need a program that is compiled when it runs");
}

/* A file that is not whole is none. */
static int dtx_write_file(struct dtx *d, const char *path, const void *data, size_t len)
{
	int fd = file_create(path, O_WRONLY | O_TRUNC), err = fd < 0 ? -fd : 0;
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	struct stat st;
	bool bad;

	if (!f)
		return dtx_env_fail(&d->env, -err, "cannot open %s: %s", path,
				    err == ELOOP ? "it is a symbolic link of another user" : strerror(err));
	errno = 0;
	bad = fwrite(data, 1, len, f) != len;
	bad |= fclose(f) != 0;
	if (!bad)
		return 0;
	err = errno ? errno : EIO;
	if (!lstat(path, &st) && S_ISREG(st.st_mode))
		unlink(path);
	return dtx_env_fail(&d->env, -err, "cannot write %s: %s", path, strerror(err));
}

int dtx_image_write(struct dtx *d, const char *path)
{
	struct compile_opts opts = { .keep = true };

	if (!d->programs.n)
		return dtx_env_fail(&d->env, -EINVAL, "no probes specified");
	if (dtx_check_keeping(d) || filter_check(&d->env, d->grabbed))
		return -EINVAL;
	struct img *made = dtx_build(d, &opts);
	return made ? dtx_write_file(d, path, made->elf, made->elf_len) : -EINVAL;
}

int dtx_image_open(struct dtx *d, const char *path)
{
	const char *why = NULL;
	char *data = NULL;
	size_t len;

	if (dtx_check_keeping(d))
		return -EINVAL;
	int err = file_read(path, &data, &len);
	if (err)
		return dtx_env_fail(&d->env, err, "cannot read the image %s: %s", path, strerror(-err));
	d->bytes = data;
	d->img = img_read(d->env.arena, data, len, &why);
	if (!d->img)
		return dtx_env_fail(&d->env, -EINVAL, "%s: %s", path, why);
	err = img_fits(&d->env, d->img);
	if (!err)
		err = img_apply_options(&d->env, d->img);
	return err ? err : filter_check(&d->env, false);
}

int dtx_dump(struct dtx *d, const char *stages, FILE *out)
{
	static const char *const order[] = { "bpf", "llvm", "plan", "typed", "ast" };
	struct buf text = { 0 };
	struct compile_opts opts = { .dump = stages, .dumped = &text };

	for (u32 i = 0; i < ARRAY_SIZE(order) && !opts.stop_after; i++)
		if (strstr(stages, order[i]))
			opts.stop_after = order[i];
	if (!opts.stop_after)
		return dtx_env_fail(&d->env, -EINVAL, "there is no stage '%s': give some of ast, typed, plan, llvm, bpf",
				    stages);
	if (!d->programs.n)
		return dtx_env_fail(&d->env, -EINVAL, "no probes specified");
	dtx_build(d, &opts);
	if (text.len)
		fwrite(text.data, 1, text.len, out);
	buf_free(&text);
	return d->env.diags.nerrors || d->env.error ? -EINVAL : 0;
}

int dtx_header(struct dtx *d, FILE *out)
{
	struct buf text = { 0 };
	struct compile_opts opts = { .header = &text };
	bool written = true;

	dtx_build(d, &opts);
	if (!d->env.diags.nerrors && text.len)
		written = fwrite(text.data, 1, text.len, out) == text.len;
	buf_free(&text);
	return d->env.diags.nerrors || d->env.error || !written ? -EINVAL : 0;
}

/* The declarations are checked as for a header. */
int dtx_object(struct dtx *d, FILE *out)
{
	struct buf header = { 0 };
	struct compile_opts opts = { .header = &header };
	int err;

	dtx_build(d, &opts);
	err = d->env.diags.nerrors || d->env.error ? -EINVAL : linkobj_write(out);
	buf_free(&header);
	return err;
}

/* ---- listing --------------------------------------------------------------------------------- */

/* One description of a list; blanks around it do not count. */
static int dtx_list_one(struct dtx *d, struct lister *l, const struct dtx_program *p, char *text)
{
	struct dtx_pattern pat = { "", "", "", "", 0, false };
	const char *err = NULL;

	while (strchr(" \t\r\n", *text) && *text)
		text++;
	for (char *end = text + strlen(text); end > text && strchr(" \t\r\n;", end[-1]);)
		*--end = '\0';
	if (p->is_id)
		pat.id = strtoul(text, NULL, 0);
	else if (provider_parse(d->env.arena, text, p->align, &pat, &err))
		return dtx_env_fail(&d->env, -EINVAL, "invalid probe specifier '%s': %s", text,
				    err ? err : "it is not a probe description");
	u32 before = lister_count(l);
	int bad = lister_pattern(l, &pat);
	if (bad < 0 || lister_count(l) > before)
		return bad;
	const char *near = NULL, *why = p->is_id ? NULL : provider_missing(&d->env, &pat);
	if (why)
		return dtx_env_fail(&d->env, -ENOENT, "no probe matches '%s': %s", text, why);
	bool found = !p->is_id && provider_nearest(&d->env, &pat, &near, 1) > 0;
	return dtx_env_fail(&d->env, -ENOENT, "no probe matches '%s'%s%s%s", text,
			    found ? "; did you mean '" : "", found ? near : "", found ? "'?" : "");
}

static int dtx_list_texts(struct dtx *d, struct lister *l, const struct dtx_program *p)
{
	char *save = NULL, *text = arena_strdup(d->env.arena, p->src->text);
	int first = 0;

	for (char *t = strtok_r(text, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		int err = dtx_list_one(d, l, p, t);
		if (err && !first)
			first = err;
	}
	return first;
}

/* Programs with clauses or macro variables are compiled; bare descriptions need only the providers. */
static int dtx_list_programs(struct dtx *d, struct lister *l)
{
	struct compile_opts opts = { .listed = true };
	bool bodies = false;
	int err = 0;

	for (u32 i = 0; i < d->programs.n; i++)
		bodies |= d->programs.v[i].is_script || strpbrk(d->programs.v[i].src->text, "{$");
	for (u32 i = 0; i < d->programs.n && !bodies; i++) {
		int one = dtx_list_texts(d, l, &d->programs.v[i]);
		err = err ? err : one;
	}
	if (!bodies)
		return err;
	dtx_set_option(d, "zdefs", NULL);
	struct img *img = dtx_build(d, &opts);
	for (u32 i = 0; img && i < img->nlisted && !err; i++)
		err = lister_probe(l, img->listed[i]);
	for (u32 i = 0; img && i < img->ndescs && !err; i++)
		if (!img->descs[i].nprobes)
			err = dtx_env_fail(&d->env, -ENOENT, "no probe matches '%s'", img->descs[i].text);
	return img ? err : -EINVAL;
}

int dtx_list(struct dtx *d, bool verbose, FILE *out)
{
	const struct dtx_pattern all = { "", "", "", "", 0, false };
	struct lister *l = lister_new(&d->env, verbose, out);

	int err = d->programs.n ? dtx_list_programs(d, l) : lister_pattern(l, &all);
	lister_free(l);
	if (!ferror(out))
		return err < 0 ? err : 0;
	if (err == -EPIPE)               /* the reader had enough */
		return 0;
	return dtx_env_fail(&d->env, err, "cannot write the list: %s", strerror(-err));
}

/* ---- running ---------------------------------------------------------------------- */

/* Probes that could not be attached, with equal reasons together. */
static void dtx_say_refused(struct dtx *d)
{
	struct dtx_session *s = d->ses;
	u32 n = s->refused.n;
	bool *done = xcalloc(n + 1, sizeof(bool));

	for (u32 i = d->reported; i < n; i++) {
		const char *reason = s->refused.v[i].reason;
		struct buf names = { 0 };
		u32 count = 0;
		for (u32 k = i; k < n; k++) {
			const struct dtx_probe *p = s->refused.v[k].probe;
			if (done[k] || strcmp(s->refused.v[k].reason, reason))
				continue;
			done[k] = true;
			if (++count <= 20)
				buf_printf(&names, "%s%s:%s:%s:%s", count > 1 ? ", " : "", p->prov,
					   p->mod, p->func, p->name);
		}
		if (count > 20)
			buf_printf(&names, " and %u more (-v names them all)", count - 20);
		if (count)
			diag_warn(&d->env.diags, DIAG_NONE, dtx_nowhere, "not attached: %s: %s",
				  names.data, reason);
		buf_free(&names);
	}
	d->reported = n;
	free(done);
}

static int dtx_load(struct dtx *d)
{
	if (!d->img)
		return dtx_env_fail(&d->env, -EINVAL, "no program was compiled");
	if (d->ses)
		return dtx_env_fail(&d->env, -EBUSY, "the program runs already");
	d->ses = session_new(&d->env, d->img);
	if (!d->ses)
		return -ENOMEM;
	d->ses->targets = d->targets.v;
	d->ses->ntargets = d->targets.n;
	d->ses->by_key = d->by_key;
	int err = session_load(d->ses);

	if (d->ses->log.len)
		buf_add(&d->said, d->ses->log.data, d->ses->log.len);
	return err;
}

static void dtx_unload(struct dtx *d)
{
	struct dtx_session *s = d->ses;
	d->ses = NULL;
	session_free(s);
}

int dtx_check(struct dtx *d)
{
	int err = dtx_load(d);

	if (d->ses)
		dtx_unload(d);
	return err;
}

int dtx_start(struct dtx *d, FILE *out)
{
	int err;

	/* Declarations alone would wait for ever; with -Z probes may still come. */
	if (!d->img->nprobes && !d->env.opts.v[OPT_zdefs].n)
		return dtx_env_fail(&d->env, -EINVAL, "no probes matched");
	err = dtx_load(d);
	if (!err) {
		d->ses->con = consumer_new(d->ses, out);
		err = d->ses->con ? 0 : -EIO;
	}
	if (!err)
		err = session_attach(d->ses);
	if (!err)
		dtx_say_refused(d);
	if (!err && d->interrupts && !loop_interrupts(d->ses->loop))     /* before there was a loop */
		loop_interrupt(d->ses->loop);
	if (!err)
		err = session_go(d->ses);
	if (err && d->ses)
		dtx_unload(d);
	return err;
}

int dtx_run(struct dtx *d)
{
	struct dtx_session *s = d->ses;
	int err;

	if (!s)
		return dtx_env_fail(&d->env, -EINVAL, "nothing was started");
	err = s->ctl->exit_called ? 0 : loop_run(s->loop);
	int stop = session_stop(s);
	d->exit_status = s->exit_status;
	if (s->lost && d->env.opts.v[OPT_strict].n && !d->exit_status)
		d->exit_status = DTX_LOST;
	if (!err)
		err = stop;
	if (err == -EPIPE)               /* the reader had enough: no error */
		return 0;
	if (err && !d->env.error)
		dtx_env_fail(&d->env, err, "cannot write the output: %s", strerror(-err));
	return err;
}

void dtx_interrupt(struct dtx *d, bool by_key)
{
	struct dtx_session *s = d->ses;

	d->by_key = by_key;
	if (s)
		s->by_key = by_key;

	d->interrupts = d->interrupts + 1;
	if (s && s->loop)
		loop_interrupt(s->loop);
}

FILE *dtx_output(const char *path, bool add)
{
	int fd = file_create(path, O_WRONLY | (add ? O_APPEND : O_TRUNC));

	errno = fd < 0 ? -fd : 0;
	return fd < 0 ? NULL : fdopen(fd, add ? "a" : "w");
}

int dtx_exit_status(const struct dtx *d)
{
	return d->exit_status;
}

int dtx_stability(struct dtx *d, FILE *out)
{
	for (u32 i = 0; d->img && i < d->img->ndescs; i++)
		if (d->img->descs[i].stability)
			fprintf(out, "\nStability attributes for %s %s:\n\n%s\n",
				d->img->descs[i].is_script ? "script" : "description",
				d->img->descs[i].text, d->img->descs[i].stability);
	return fflush(out) ? -EIO : 0;
}

int dtx_explain(struct dtx *d, FILE *out)
{
	struct dtx_session *s = d->ses;

	for (u32 i = 0; s && i < s->attach_notes.n; i++)
		fprintf(out, "%s: %s\n", d->env.tool, s->attach_notes.v[i]);
	for (u32 i = 0; s && i < s->refused.n; i++) {
		const struct dtx_probe *p = s->refused.v[i].probe;
		fprintf(out, "%s: not attached: %s:%s:%s:%s: %s\n", d->env.tool, p->prov, p->mod,
			p->func, p->name, s->refused.v[i].reason);
	}
	return 0;
}
