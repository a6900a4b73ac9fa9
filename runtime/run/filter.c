/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filter.c - the user side of -p, --follow and --cgroup: fills the sets that programs compare
 * with.
 *
 * The set of --follow begins with the targets (several -p are a set as well).  Its two programs
 * are attached first: from then on every child of a process in the set joins it.  Then /proc is
 * searched for existing children, until a search finds no more.
 * Why: docs/decisions/16-filters.md
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <dtx/opt.h>
#include <dtx/tables/maprole.h>

#include "runtime/proc/proc.h"
#include "runtime/run/run.h"
#include "runtime/stack/text.h"
#include "runtime/kernel/kernel.h"

#define CGROUP2_MAGIC  0x63677270        /* include/uapi/linux/magic.h */

/* ---- before compiling ---------------------------------------------------------------- */

static const char *filter_text(struct dtx_env *env, enum opt_id id)
{
	const char *s = opt_text(env, id);

	return s && *s ? s : NULL;
}

static int filter_open_dir(const char *path, bool *is_cgroup)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	*is_cgroup = fd >= 0 && !fstatfs(fd, &fs) && fs.f_type == CGROUP2_MAGIC;
	return fd < 0 ? -errno : fd;
}

/* There is no path `name`: is it a container?  An fd or -errno. */
static int filter_container_open(struct dtx_env *env, const char *root, const char *name)
{
	struct containers c = { 0 };
	bool good;

	if (!strchr(name, '/'))
		containers_find(env->arena, root, name, &c);
	if (c.n == 1)
		return filter_open_dir(c.paths[0], &good);
	if (c.n)
		return dtx_env_fail(env, -EINVAL,
				    "%u control groups are named after '%s', as %s and %s: write "
				    "more of the id, or one of the paths", c.n, name, c.paths[0],
				    c.paths[1]);
	return dtx_env_fail(env, -ENOENT, "there is no control group '%s'%s", name,
			    strchr(name, '/') ? "" : ", and none of a container of this name or "
			    "id: docker ps, podman ps and crictl ps show ids");
}

/* Opens a path, a path below the mount point as in /proc/PID/cgroup ("/" too), or a container.  An
 * fd or -errno. */
static int filter_cgroup_open(struct dtx_env *env, const char *path)
{
	const char *root = cgroup_root(env->arena);
	bool there, good;
	int fd;

	if (!root)
		return dtx_env_fail(
			env, -ENOTSUP,
			"--cgroup needs control groups of version 2, and none are mounted here");
	fd = filter_open_dir(path, &good);
	there = fd >= 0;
	if (good)
		return fd;
	if (there)
		close(fd);
	fd = filter_open_dir(arena_printf(env->arena, "%s/%s", root, path), &good);
	if (good)
		return fd;
	if (fd >= 0)
		close(fd);
	if (fd == -ENOENT && !there)
		return filter_container_open(env, root, path);
	if (there || fd >= 0)
		return dtx_env_fail(env, -EINVAL,
				    "'%s' is not a control group of version 2: those are below %s",
				    path, root);
	return dtx_env_fail(env, fd, "cannot open the control group '%s': %s", path, strerror(-fd));
}

int filter_check(struct dtx_env *env, bool grabbed)
{
	const char *cgroup = filter_text(env, OPT_cgroup);
	const enum opt_id texts[] = { OPT_comm, OPT_cgroup };
	int fd = 0;

	/* A variable of the shell that was not set must not select everything. */
	for (u32 i = 0; i < ARRAY_SIZE(texts); i++)
		if (opt_is_set(env, texts[i]) && !filter_text(env, texts[i]))
			return dtx_env_fail(env, -EINVAL,
					    "option %s: its value is empty; without this option, "
					    "everything is traced", opt_rows[texts[i]].name);
	env->target_only = grabbed && !opt_num(env, OPT_grabonly);
	if (opt_num(env, OPT_follow) && !env->target_pid && !env->target_later)
		return dtx_env_fail(env, -EINVAL, "--follow needs a process: -p PID or -c COMMAND");
	if (cgroup && machine_is_here(env))      /* else dtx-run looks for it, there */
		fd = filter_cgroup_open(env, cgroup);
	if (cgroup && machine_is_here(env) && fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

const char *filter_selects(struct dtx_env *env)
{
	const char *comm = filter_text(env, OPT_comm);

	if (comm)
		return arena_printf(env->arena, "--comm %s", plain_name(env->arena, comm));
	if (filter_text(env, OPT_cgroup))
		return "--cgroup";
	if (opt_num(env, OPT_follow))
		return "--follow";
	return env->target_only ? "-p" : NULL;
}

/* ---- before attaching ------------------------------------------------------------------- */

static int filter_set_cgroup(struct dtx_session *s, int map)
{
	const char *path = filter_text(s->env, OPT_cgroup);
	int fd = path ? filter_cgroup_open(s->env, path) : -EINVAL, err;
	u32 first = 0;

	if (fd < 0)
		return fd;
	err = bpf_map_update_elem(map, &first, &fd, BPF_ANY);
	close(fd);
	return err ? dtx_env_fail(s->env, err,
				  "the kernel does not accept the control group '%s': %s", path,
				  strerror(-err))
		   : 0;
}

/* A program beside those of the manifest; `what` cannot be had without it. */
static int filter_attach(struct dtx_session *s, const char *prog, const char *event,
			 const char *what)
{
	struct bpf_program *p = bpf_object__find_program_by_name(s->ld.obj, prog);
	int fd = p ? sys_link_raw_tp(bpf_program__fd(p), event, 0) : -ENOENT;

	if (fd < 0)
		return dtx_env_fail(s->env, fd, "%s (%s): %s", what, event, prov_why(fd));
	attach_keep(&s->at, fd);
	return 0;
}

static bool filter_follows(const struct dtx_session *s, int map, u32 pid)
{
	u8 one;

	if (!bpf_map_lookup_elem(map, &pid, &one))
		return true;
	pid |= DTX_FOLLOW_NS;
	return s->env->pidns && !bpf_map_lookup_elem(map, &pid, &one);
}

static void filter_follow(const struct dtx_session *s, int map, u32 pid)
{
	u8 one = 1;

	if (s->env->pidns)
		pid |= DTX_FOLLOW_NS;
	bpf_map_update_elem(map, &pid, &one, BPF_ANY);
}

/* Children of the set are added to it. */
struct search {
	const struct dtx_session *s;
	int map;
	u32 found;                       /* that were not in it yet */
};

static bool filter_consider(void *arg, u32 pid)
{
	struct search *f = arg;
	u32 parent = filter_follows(f->s, f->map, pid) ? 0 : proc_parent(pid);

	if (!parent || !filter_follows(f->s, f->map, parent))
		return true;
	filter_follow(f->s, f->map, pid);
	f->found++;
	return true;
}

static u32 filter_search(const struct dtx_session *s, int map)
{
	struct search f = { .s = s, .map = map };

	proc_each(filter_consider, &f);
	return f.found;
}

static int filter_set_follow(struct dtx_session *s, int map)
{
	static const char what[] = "--follow cannot see processes start and end";
	int err;

	for (u32 i = 0; i < s->env->targets.n; i++)
		filter_follow(s, map, s->env->targets.v[i]);
	if (!opt_num(s->env, OPT_follow))
		return 0;
	err = filter_attach(s, "dtx_follow_fork_prog", "sched_process_fork", what);
	if (!err)
		err = filter_attach(s, "dtx_follow_free_prog", "sched_process_free", what);
	while (!err && filter_search(s, map))
		;
	return err;
}

int filter_start(struct dtx_session *s)
{
	int cgroup = load_role_fd(&s->ld, ROLE_cgroup), follow = load_role_fd(&s->ld, ROLE_follow);
	int err = cgroup >= 0 ? filter_set_cgroup(s, cgroup) : 0;

	if (!err && follow >= 0)
		err = filter_set_follow(s, follow);
	if (!err && load_role_fd(&s->ld, ROLE_vtime) >= 0)
		err = filter_attach(s, "dtx_vtime_prog", "sched_switch",
				    "vtimestamp cannot see switches between threads");
	return err;
}
