/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files.c - --replay FILE …: one recording is shown as it was, several are merged as if their
 * hosts sent them now.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/fleet/fleet-private.h"
#include "runtime/proc/proc.h"
#include "runtime/sink/sink.h"

#define PIECE  (256u << 10)      /* bytes that are read at once of one … */
#define SHARE  (16u << 10)       /* … and of one of several */

static int file_cannot(struct dtx_env *env, const char *path, int err)
{
	return dtx_env_fail(env, -err, "cannot read the recording %s: %s", path, file_why(err));
}

/* What is wrong with the only file, as a failure of the environment. */
static int file_check(struct fleet *f, const char *path, int err)
{
	const struct host *h = f->hosts.v[0];
	const char *why = NULL;
	u64 records = 0;
	enum replay_state state =
		h->replay ? replay_state(h->replay, &why, &records) : REPLAY_NOTHING;

	if (state == REPLAY_NOTHING || state == REPLAY_ALIEN)
		return dtx_env_fail(f->env, -EINVAL, "%s is no recording of this version of dtx: "
				    "recordings are made with --record FILE", path);
	if (state == REPLAY_BAD)
		return dtx_env_fail(f->env, -EINVAL, "%s is damaged after %" PRIu64 " records: %s",
				    path, records, why);
	if (err && !f->img)
		return dtx_env_fail(f->env, -EINVAL, "%s is no recording that can be read: %s",
				    path, diags_take(&f->env->diags, "its manifest is wrong"));
	if (!err && state != REPLAY_ENDED)
		return dtx_env_fail(f->env, -EINVAL, "%s ends after %" PRIu64 " records, without "
				    "the end of the run: it was cut, or dtx was killed", path,
				    records);
	return err;
}

int fleet_stream(struct dtx_env *env, FILE *in, const char *path, FILE *out)
{
	struct fleet *f = fleet_new(env, out);
	char *piece = xmalloc(PIECE);
	int err = 0, end;
	size_t n;

	f->patient = true;
	fleet_host(f, NULL);
	while (!err && !fleet_ended(f, 0) && !fleet_stop(f) && (n = fread(piece, 1, PIECE, in)))
		err = fleet_bytes(f, 0, piece, n);
	free(piece);
	err = file_check(f, path, err);
	end = fleet_end(f);
	fleet_free(f);
	return err ? err : end;
}

/* ---- several ---------------------------------------------------------------------------- */

struct tape {
	const char *path;
	FILE *in;
	u32 host;
};

static int tape_open(struct dtx_env *env, struct tape *s)
{
	int fd = file_open_named(s->path, O_RDONLY);

	s->in = fd < 0 ? NULL : fdopen(fd, "r");
	return s->in ? 0 : file_cannot(env, s->path, errno);
}

/* The next bytes, and the rest of a block that begins: so at most one waits for its end. */
static void tape_read(struct fleet *f, struct tape *s, char *piece)
{
	const struct host *h = f->hosts.v[s->host];
	bool begun = true;
	size_t n, want = 1;

	while (begun && host_lives(h)) {
		if (h->replay)
			want = replay_wants(h->replay, &begun);
		n = fread(piece, 1, MIN(want, SHARE), s->in);
		if (!n) {
			fleet_gone(f, s->host, "its recording ends before its run");
			return;
		}
		fleet_bytes(f, s->host, piece, n);
		replay_wants(h->replay, &begun);
	}
}

/* The one that has come the least far comes next. */
static struct tape *tape_next(struct fleet *f, struct tape *v, u32 n)
{
	struct tape *next = NULL;
	const struct host *least = NULL;

	for (u32 i = 0; i < n; i++) {
		const struct host *h = f->hosts.v[v[i].host];

		if (host_lives(h) && (!least || host_elapsed(h) < host_elapsed(least))) {
			least = h;
			next = &v[i];
		}
	}
	return next;
}

/* A recording of several hosts is named by its file. */
static const char *name_told(const struct host *h)
{
	return h->info.host && !h->info.nhosts ? h->info.host : h->name;
}

/* Hosts are named as their recordings say; where two say the same, by the files, as before. */
static void name_hosts(struct fleet *f)
{
	struct map *names = map_new();

	for (u32 i = 0; i < f->hosts.n; i++)
		map_set(names, name_told(f->hosts.v[i]), f);
	for (u32 i = 0; i < f->hosts.n && map_count(names) == f->hosts.n; i++)
		f->hosts.v[i]->name = plain_name(f->arena, name_told(f->hosts.v[i]));
	map_free(names);
	if (f->opened)
		fleet_namesakes(f);
}

/* Up to the begin of its run: hosts are named before anything of them is shown. */
static void tapes_begin(struct fleet *f, struct tape *v, u32 n, char *piece)
{
	for (u32 i = 0; i < n; i++)
		while (f->hosts.v[v[i].host]->state == HOST_WAITED && !fleet_stop(f))
			tape_read(f, &v[i], piece);
}

static int tapes_merge(struct dtx_env *env, struct tape *v, u32 n, FILE *out)
{
	struct fleet *f = fleet_new(env, out);
	char *piece = xmalloc(SHARE);
	struct tape *s;
	int err;

	f->patient = true;
	for (u32 i = 0; i < n; i++)
		v[i].host = fleet_host(f, path_base(v[i].path));
	tapes_begin(f, v, n, piece);
	name_hosts(f);
	while (!fleet_stop(f) && (s = tape_next(f, v, n))) {
		tape_read(f, s, piece);
		if (f->opened)
			outs_flush(f->outs);    /* they may be pipes, of collectors that run */
		if (f->opened && f->outs->v[0].err)
			break;
	}
	free(piece);
	err = fleet_end(f);
	fleet_free(f);
	return err;
}

int fleet_files(struct dtx_env *env, const char *const *paths, u32 n, FILE *out)
{
	struct tape *v = xcalloc(n, sizeof(*v));
	int err = 0;

	for (u32 i = 0; i < n && !err; i++) {
		v[i].path = paths[i];
		err = tape_open(env, &v[i]);
	}
	if (!err)
		err = n == 1 ? fleet_stream(env, v[0].in, paths[0], out)
			     : tapes_merge(env, v, n, out);
	for (u32 i = 0; i < n; i++)
		if (v[i].in)
			fclose(v[i].in);
	free(v);
	return err;
}
