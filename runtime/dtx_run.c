/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx_run.c - the running part of the public interface (dtx-run.h): the handle, its image, and
 * the order of the steps of a run.
 */
#include <dtx-run.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/libbpf.h>
#include <dtx/handle.h>
#include <dtx/opt.h>

#include "runtime/dtx_run.h"
#include "runtime/code/safe/budget.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/fleet/fleet.h"
#include "runtime/image/image.h"
#include "runtime/run/run.h"
#include "runtime/sink/live/live.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

static const struct range dtx_nowhere;

/* ---- the handle ------------------------------------------------------------------ */

struct dtx *dtx_open(void)
{
	struct dtx *d = xcalloc(1, sizeof(*d));

	libbpf_set_print(NULL);          /* our messages include what matters of its messages */
	env_open(&d->env);
	return d;
}

void dtx_set_name(struct dtx *d, const char *name)
{
	d->env.diags.tool = name;
}

void dtx_name_all(struct dtx *d)
{
	d->env.names_all = true;
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
	divert_free(d->env.divert);
	free(d->bytes);
	if (aside_left())                /* a thread reads on for it */
		return;
	env_close(&d->env);
	free(d);
}

/* DTX_VERSION is the content of the file VERSION, without quotes. */
#define TEXT_OF(x) #x
#define VERSION_TEXT(x) TEXT_OF(x)

const char *dtx_version(void)
{
	return "dtx " VERSION_TEXT(DTX_VERSION) ", D " RUN_VERSION;
}

void dtx_on_message(struct dtx *d, dtx_message_fn *fn, void *arg)
{
	d->env.diags.fn = fn;
	d->env.diags.arg = arg;
}

void dtx_on_data(struct dtx *d, dtx_data_fn *fn, void *arg)
{
	d->env.data = fn;
	d->env.data_arg = arg;
	if (fn)
		d->env.opts->v[OPT_timestamps].n = 1;
}

/* Ends every function that may fail: reports the collected messages. */
int dtx_told(struct dtx *d, int err)
{
	return diags_told(&d->env.diags, err);
}

static bool dtx_quiet(const struct dtx *d)
{
	return env_is_quiet(&d->env);
}

/* ---- settings ------------------------------------------------------------------------ */

int dtx_set_option(struct dtx *d, const char *name, const char *value)
{
	return dtx_told(d, env_set_option(&d->env, name, value));
}

int dtx_rights(struct dtx *d)
{
	return dtx_told(d, machine_is_here(&d->env) ? env_check_rights(&d->env) : 0);
}

int dtx_drop_rights(struct dtx *d)
{
	const struct dtx_session *s = d->ses;

	aside_end();                     /* it has the rights with which it began */
	return dtx_told(d, env_drop_rights(&d->env, s && s->late,
					  s && (s->at.percpu.n || late_opens_events(s))));
}

int dtx_features(struct dtx *d, FILE *out)
{
	int err = machine_check(&d->env);

	return dtx_told(d, err ? err : doctor_print_features(&d->env, out));
}

/* `what` is done on this machine alone: 0, or the failure. */
int dtx_only_here(struct dtx *d, const char *what)
{
	int err = machine_check(&d->env);

	if (err || machine_is_here(&d->env))
		return err;
	return dtx_env_fail(&d->env, -EINVAL, "%s, and -x machine (or DTX_OPT_MACHINE) names "
			    "another one, %s: leave it out", what, machine_name(&d->env));
}

int dtx_doctor(struct dtx *d, FILE *out)
{
	int err = machine_check(&d->env);

	return dtx_told(d, err ? err : doctor_print(&d->env, out));
}

const char *dtx_machine(const struct dtx *d)
{
	return machine_name(&d->env);
}

void dtx_describe_program(struct dtx *d, const char *name)
{
	describe_add_program(&d->env, name);
}

int dtx_describe(struct dtx *d, const char *path, FILE *out)
{
	return dtx_told(d, describe_write(&d->env, path, out));
}

/* Programs are compiled for another machine, and these are processes of this one. */
static bool dtx_refuse_target(struct dtx *d, const char *option)
{
	if (machine_is_here(&d->env))
		return false;
	dtx_told(d, dtx_env_fail(&d->env, -EINVAL, "%s is a process of this machine, and the "
				 "program is compiled for %s", option, machine_name(&d->env)));
	return true;
}

int dtx_target_run(struct dtx *d, const char *cmd)
{
	struct target *t;

	if (dtx_refuse_target(d, "-c"))
		return -EINVAL;
	/* What the command writes would spoil the screen. */
	if (opt_num(&d->env, OPT_live) && !d->env.divert)
		d->env.divert = divert_new();
	t = target_run(&d->env, cmd);

	if (!t)
		return dtx_told(d, -ENOENT);
	VEC_PUSH(&d->targets, t);
	return 0;
}

int dtx_target_grab(struct dtx *d, int pid)
{
	struct target *t = dtx_refuse_target(d, "-p") ? NULL : target_grab(&d->env, pid);

	if (!t && !machine_is_here(&d->env))
		return -EINVAL;
	if (!t)
		return dtx_told(d, -ESRCH);
	VEC_PUSH(&d->targets, t);
	d->grabbed = true;
	return 0;
}

void dtx_target_later(struct dtx *d)
{
	d->env.target_later = true;
}

bool dtx_has_target(const struct dtx *d)
{
	return d->targets.n;
}

/* ---- what the compiling part asks for (handle.h) --------------------------------------- */

struct dtx_env *handle_env(struct dtx *d)
{
	return &d->env;
}

int handle_check_filters(struct dtx *d)
{
	return filter_check(&d->env, d->grabbed);
}

/* The target processes are compiled into the program, and will not exist when an image runs. */
int handle_check_targets(struct dtx *d)
{
	if (!d->targets.n)
		return 0;
	return dtx_env_fail(
		&d->env, -EINVAL,
		"an image has no target process: -c and -p need a program that is "
		"compiled when it runs");
}

int handle_check_machine(struct dtx *d)
{
	int err = machine_check(&d->env);

	return err ? err : btf_check_file(&d->env);
}

bool handle_check_types(struct dtx *d)
{
	return dwarf_check(&d->env);
}

/* Sets run-time options from the program's pragmas; the compile-time ones are set already. */
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

int handle_take_image(struct dtx *d, const struct img *made)
{
	free(d->bytes);
	d->bytes = memcpy(xmalloc(made->elf_len), made->elf, made->elf_len);
	d->img = img_read(d->env.arena, &d->env.diags, d->bytes, made->elf_len);
	return d->img ? dtx_apply_pragmas(d) : -EINVAL;
}

/* ---- enabling -------------------------------------------------------------------------- */

/* Only enabled programs need the permission (not -e, not -l), and the pragma may follow the
 * action. */
static int dtx_permit(struct dtx *d)
{
	struct diag *diag;

	if (!d->img->destructive || opt_num(&d->env, OPT_destructive))
		return 0;
	if (!d->env.destructive)                 /* an image: it has no text to show */
		return dtx_env_fail(
			&d->env, -EPERM,
			"the image has destructive actions, which are not allowed: allow them with "
			"-w");
	diag = diag_error(&d->env.diags, DIAG_NONE, d->env.destructive_at,
			  "%s() is destructive, which is not allowed", d->env.destructive);
	diag_hint(&d->env.diags, diag, "allow it with -w or #pragma D option destructive");
	return -EPERM;
}

void dtx_matches(struct dtx *d)
{
	for (u32 i = 0; d->img && i < d->img->ndescs; i++) {
		const struct img_desc *m = &d->img->descs[i];

		diags_say(&d->env.diags, MESSAGE(DTX_NOTICE, DTX_INFO),
			  "%s '%s' matched %u probe%s", m->is_script ? "script" : "description",
			  m->text, m->nprobes, m->nprobes == 1 ? "" : "s");
	}
}

static int dtx_elsewhere(struct dtx *d)
{
	if (machine_is_here(&d->env))
		return 0;
	return dtx_env_fail(&d->env, -EINVAL, "the program is compiled for %s and cannot run here: "
			    "--image FILE keeps it, and dtx-run -r FILE runs it there",
			    machine_name(&d->env));
}

int dtx_enable(struct dtx *d)
{
	int err = dtx_elsewhere(d);

	if (!err)
		err = dtx_permit(d);
	if (err)
		return dtx_told(d, err);
	options_tell_idle(&d->env, (struct range){ 0 });         /* an image: not reported by the
								  * compiler */
	diags_tell(&d->env.diags);
	if (!dtx_quiet(d))
		dtx_matches(d);
	if (opt_num(&d->env, OPT_destructive) && !dtx_quiet(d))
		diags_say(&d->env.diags, MESSAGE(DTX_NOTICE, DTX_INFO),
			  "allowing destructive actions");
	return 0;
}

FILE *dtx_input(const char *path)
{
	int fd = file_open_named(path, O_RDONLY);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

/* ---- running ---------------------------------------------------------------------- */

/* Reports probes that could not be attached, grouped by reason. */
static void dtx_say_refused(struct dtx *d)
{
	struct dtx_session *s = d->ses;
	struct diag *told;
	u32 n = s->at.refused.n;
	bool *done = xcalloc(n + 1, sizeof(bool));

	for (u32 i = d->reported; i < n; i++) {
		const char *reason = s->at.refused.v[i].reason;
		struct buf names = { 0 };
		u32 count = 0;
		for (u32 k = i; k < n; k++) {
			const struct dtx_probe *p = s->at.refused.v[k].probe;
			if (done[k] || strcmp(s->at.refused.v[k].reason, reason))
				continue;
			done[k] = true;
			if (++count <= 20)
				buf_printf(&names, "%s" PROBE_NAME, count > 1 ? ", " : "",
					   PROBE_PARTS(p));
		}
		if (count > 20)
			buf_printf(&names, " and %u more (-v names them all)", count - 20);
		if (count) {
			told = diag_warn(&d->env.diags, DIAG_NONE, dtx_nowhere,
					 "not attached: %s: %s", names.data, reason);
			told->m.kind = DTX_REFUSED;
			told->m.probe = arena_strdup(d->env.arena, names.data);
			told->m.reason = reason;
		}
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
		return dtx_env_fail(&d->env, -EBUSY, "the program is already running");
	d->ses = session_new(&d->env, d->img);
	if (!d->ses)
		return -ENOMEM;
	d->ses->targets = d->targets.v;
	d->ses->ntargets = d->targets.n;
	d->ses->by_key = d->by_key;
	int err = limits_apply(&d->env, d->img, &d->ses->ld);

	err = err ? err : session_load(d->ses);
	diags_show(&d->env.diags, &d->ses->ld.log);
	return err;
}

static void dtx_unload(struct dtx *d)
{
	struct dtx_session *s = d->ses;
	d->ses = NULL;
	session_free(s);
}

/* Of a program for another machine the kernel there asks when it is loaded. */
int dtx_check(struct dtx *d)
{
	int err = machine_is_here(&d->env) ? dtx_load(d) : 0;

	dtx_told(d, err);
	if (d->ses)
		dtx_unload(d);
	return err;
}

static bool waits_for_events(const struct img *img)
{
	for (u32 i = 0; i < img->nprobes; i++)
		if (probe_is_event(img_probe(img, i)))
			return true;
	return false;
}

/* It is loaded, and the recording has its manifest. */
static void dtx_drop_object(struct dtx *d)
{
	free(d->bytes);
	d->bytes = NULL;
	d->img->elf = d->img->text = NULL;
	d->img->elf_len = d->img->text_len = 0;
}

int dtx_start(struct dtx *d, FILE *out)
{
	int err;

	if (dtx_elsewhere(d))
		return dtx_told(d, -EINVAL);
	if (d->img->no_target && !waits_for_events(d->img))
		return dtx_told(d, dtx_env_fail(&d->env, -EINVAL,
						"a probe of the program names $target, the "
						"process to trace: give it with -p PID or "
						"-c COMMAND"));
	/* Without probes the run would wait forever; with -Z probes may still appear. */
	if (!d->img->nprobes && !opt_num(&d->env, OPT_zdefs))
		return dtx_told(d, dtx_env_fail(&d->env, -EINVAL, "no probes matched"));
	env_output_mode(&d->env, out ? fileno(out) : -1);
	err = dtx_load(d);
	if (!err) {
		d->ses->con = consumer_new(&d->ses->ld, &d->ses->at, out);
		err = d->ses->con ? 0 : -EIO;    /* the failure says why */
	}
	if (!err)
		err = session_attach(d->ses);
	if (!err) {
		dtx_drop_object(d);
		dtx_say_refused(d);
	}
	if (!err && d->interrupts && !loop_interrupts(d->ses->loop)) /* interrupted before the loop
								      * existed */
		loop_interrupt(d->ses->loop);
	if (!err)
		err = session_go(d->ses);
	dtx_told(d, err);
	if (err && d->ses && d->ses->con)
		consumer_end(d->ses->con, 1, -err);
	if (err && d->ses)
		dtx_unload(d);
	return err;
}

static int dtx_end(struct dtx *d, int err)
{
	struct dtx_message m = MESSAGE(DTX_END, DTX_INFO);

	dtx_told(d, err);
	m.status = d->exit_status;
	m.error = err < 0 ? -err : 0;
	diags_send(&d->env.diags, &m);
	return err;
}

int dtx_run(struct dtx *d)
{
	struct dtx_session *s = d->ses;
	int err;

	if (!s)
		return dtx_told(d, dtx_env_fail(&d->env, -EINVAL, "nothing was started"));
	do {
		err = s->ld.ctl->exit_called ? 0 : loop_run(s->loop);
	} while (err > 0 && !(err = session_table(s)));
	int stop = session_stop(s);
	d->exit_status = s->exit_status;
	if (s->lost && env_is_strict(&d->env) && !d->exit_status)
		d->exit_status = DTX_LOST;
	if (!err)
		err = stop;
	if (err == -EPIPE)               /* the reader closed the pipe: no error */
		err = 0;
	if (!err)
		err = -consumer_failed(s->con);       /* it was reported */
	else if (!diags_failed(&d->env.diags))
		env_fail_output(&d->env, err, consumer_fd(s->con));
	dtx_told(d, err);
	consumer_end(s->con, err ? 1 : d->exit_status, -err);
	if (!err)
		err = -consumer_failed(s->con);       /* what is written at the end */
	return dtx_end(d, err);
}

int dtx_replay(struct dtx *d, const char *path, FILE *out)
{
	return dtx_replay_all(d, &path, 1, out);
}

int dtx_replay_all(struct dtx *d, const char *const *paths, size_t n, FILE *out)
{
	return dtx_told(d, fleet_files(&d->env, paths, (u32)n, out));
}

void dtx_interrupt(struct dtx *d, bool by_key)
{
	struct dtx_session *s = d->ses;

	d->by_key = by_key;
	file_write_hurries = !by_key;
	if (s)
		s->by_key = by_key;

	d->interrupts = d->interrupts + 1;
	if (s && s->loop)
		loop_interrupt(s->loop);
}

const char *dtx_file_why(int err)
{
	return file_why(err);
}

char *dtx_plain_text(const char *text)
{
	struct buf b = { 0 };

	buf_add(&b, "", 0);
	buf_plain(&b, text, strlen(text), PLAIN_LINES);
	return b.data;
}

FILE *dtx_output(const char *path, bool add)
{
	int fd = file_create(path, O_WRONLY | (add ? O_APPEND : 0), add ? 0600 : 0666);

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

int dtx_explain(struct dtx *d)
{
	struct dtx_session *s = d->ses;
	struct diags *diags = &d->env.diags;

	if (s)
		s->explained = true;
	for (u32 i = 0; s && i < s->at.notes.n; i++)
		diags_say(diags, MESSAGE(DTX_ATTACHED, DTX_INFO), "%s", s->at.notes.v[i]);
	for (u32 i = 0; s && i < s->at.refused.n; i++) {
		const struct attach_refusal *r = &s->at.refused.v[i];
		struct dtx_message m = MESSAGE(DTX_REFUSED, DTX_INFO);
		char *name = xprintf(PROBE_NAME, PROBE_PARTS(r->probe));
		m.probe = name;
		m.probe_id = r->probe->id;
		m.reason = r->reason;
		diags_say(diags, m, "not attached: %s: %s", name, r->reason);
		free(name);
	}
	return 0;
}
