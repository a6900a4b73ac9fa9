/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userattach.c - attaching programs to places in programs and libraries: functions and lines of
 * uprobe and pid, sites of usdt.
 * Why: docs/decisions/19-usdt-files.md
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/progkind.h>

#include "runtime/code/code.h"
#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

/*
 * The kernel opens the object by its path and follows symbolic links from dtx's root.  Others may
 * have put another file there since its functions were looked up, and breakpoints at their offsets
 * would break that one.  So the kernel gets the opened file, in *fd, to be closed (else -1).
 */
static int kernel_path(struct dtx_env *env, const char **path, char own[32], int *fd)
{
	*fd = codefile_open_same(env, *path);
	snprintf(own, 32, "/proc/self/fd/%d", *fd);
	if (*fd >= 0 && (file_below_root(*path) || !file_access(own, F_OK)))
		*path = own;             /* without /proc it has no other name */
	return MIN(*fd, 0);
}

static int link_multi(void *arg, const struct multi_site *sites, u32 n, int prog_fd)
{
	const struct dtx_probe *p = sites[0].probe;
	u64 *offsets = xcalloc(n, sizeof(u64)), *cookies = xcalloc(n, sizeof(u64));
	u64 *ref_ctrs = xcalloc(n, sizeof(u64));
	struct bpf_link_multi l = {
		.path = p->place.target, .offsets = offsets, .cookies = cookies, .n = n,
		.pid = p->place.pid, .retprobe = kind_is(p->prog.kind, KIND_RETURN),
	};
	char own[32];
	int file, fd = kernel_path(arg, &l.path, own, &file);

	for (u32 i = 0; i < n; i++) {
		offsets[i] = user_probed(sites[i].probe);
		cookies[i] = sites[i].cookie;
		ref_ctrs[i] = sites[i].probe->place.ref_ctr;
		if (ref_ctrs[i])
			l.ref_ctrs = ref_ctrs;
	}
	fd = fd ? fd : sys_link_uprobe_multi(prog_fd, &l);
	if (file >= 0)
		close(file);
	free(offsets);
	free(cookies);
	free(ref_ctrs);
	return fd;
}

static bool together(const struct dtx_probe *a, const struct dtx_probe *b)
{
	return a->place.pid == b->place.pid && !strcmp(a->place.target, b->place.target);
}

/* One link for each object and process. */
static u32 attach_multi(struct attach *at, const struct dtx_probe **probes,
			const u64 *cookies, u32 n, int prog_fd, u32 *nlinks)
{
	struct multi_site *sites = xcalloc(n, sizeof(*sites));
	bool *taken = xcalloc(n, sizeof(*taken));
	u32 done = 0;

	for (u32 i = 0; i < n; i++) {
		u32 m = 0;

		if (taken[i])
			continue;
		for (u32 j = i; j < n; j++) {
			if (taken[j] || !together(probes[i], probes[j]))
				continue;
			taken[j] = true;
			sites[m++] = (struct multi_site){ probes[j], cookies ? cookies[j] : 0 };
		}
		done += multi_attach(at, sites, m, prog_fd,
				     (struct multi_linker){ link_multi, at->env }, nlinks);
	}
	free(sites);
	free(taken);
	return done;
}

static int open_uprobe(const struct attach *at, const struct dtx_probe *p)
{
	const char *path = p->place.target;
	char own[32];
	int file, fd = kernel_path(at->env, &path, own, &file);

	fd = fd ? fd : sys_perf_probe("uprobe", kind_is(p->prog.kind, KIND_RETURN), path,
				      user_probed(p), p->place.ref_ctr,
				      p->place.pid > 0 ? p->place.pid : -1);
	if (file >= 0)
		close(file);
	return fd;
}

static int attach_all(struct attach *at, const struct dtx_probe **probes, const u64 *cookies, u32 n,
		      int prog_fd)
{
	const struct progkind *kind = &progkinds[probes[0]->prog.kind];
	u32 done, nlinks = 0;
	int err;

	if (!(kind->flags & KIND_MANY)) {
		err = perf_attach_all(at, probes, cookies, n, prog_fd,
				      (struct perf_opener){ open_uprobe, NULL });
		if (!err)
			attach_note(at, "%s: %u function%s by perf %s (this kernel has no "
				     "uprobe.multi)", prov_common(at->arena, probes, n), n,
				     n == 1 ? "" : "s", kind->name);
		return err;
	}
	done = attach_multi(at, probes, cookies, n, prog_fd, &nlinks);
	if (done)
		attach_note(at, "%s: %u place%s by %s (kernel offers it), %u link%s",
			     prov_common(at->arena, probes, n), done, done == 1 ? "" : "s",
			     kind->name, nlinks, nlinks == 1 ? "" : "s");
	return done ? 0 : -EINVAL;
}

int user_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies, u32 n,
		int prog_fd)
{
	const struct dtx_probe **kept = xcalloc(n, sizeof(*kept));
	u64 *own = cookies ? xcalloc(n, sizeof(*own)) : NULL;
	int err = -EINVAL;
	u32 nkept;

	memcpy(kept, probes, n * sizeof(*kept));
	if (own)
		memcpy(own, cookies, n * sizeof(*own));
	nkept = user_drop_harmful(at, kept, own, n);
	if (nkept)
		err = attach_all(at, kept, own, nkept, prog_fd);
	free(kept);
	free(own);
	return err;
}
