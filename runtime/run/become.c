/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * become.c - a process that has executed another program leaves the probes of its first one behind,
 * and rows are missing.  The kernel keeps a record of it in a ring that is read once, at the end.
 * Why: docs/decisions/44-silence.md
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "runtime/kernel/kernel.h"
#include "runtime/proc/proc.h"
#include "runtime/run/run.h"

#define BECOME_PAGES 16          /* of a ring: some 500 mappings; later ones are not kept */

struct become {
	struct become *next;
	struct dtx_session *s;
	s32 pid;
	struct file_id program;          /* that it runs at the start … */
	const char *told;                /* … and its path */
	int fd;
	struct perf_event_mmap_page *page;
	size_t size;                     /* of the ring and its head */
};

/* Is a file of this number probed in the process? */
static bool is_probed(const struct become *b, u64 ino)
{
	const struct img *img = b->s->img;
	const char *last = "";

	for (u32 i = 0; i < img->nprobes; i++) {
		const struct dtx_probe *p = img_probe(img, i);

		if (p->place.pid != b->pid || !p->place.target || !strcmp(p->place.target, last))
			continue;
		last = p->place.target;
		if (file_identity(last).ino == ino)
			return true;
	}
	return false;
}

static bool open_ring(struct become *b)
{
	b->size = (1 + BECOME_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	b->fd = sys_perf_mappings(b->pid, -1, true, b->size, &b->page);
	return b->fd >= 0;
}

static void free_one(struct become *b)
{
	if (b->page)
		munmap(b->page, b->size);
	if (b->fd >= 0)
		close(b->fd);
	free(b);
}

void become_watch(struct dtx_session *s, s32 pid)
{
	struct become *b = xcalloc(1, sizeof(*b));
	char exe[32];

	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	b->s = s;
	b->pid = pid;
	b->fd = -1;
	b->program = file_identity(exe);
	b->told = proc_exe_told(s->arena, (u32)pid);
	if (s->late || !b->told || !b->program.ino || !is_probed(b, b->program.ino) ||
	    !open_ring(b)) {
		free_one(b);
		return;
	}
	b->next = s->becomes;
	s->becomes = b;
}

/* What it has executed, and where no probe is; NULL: nothing. */
static const char *other_program(const struct become *b)
{
	const char *data = (const char *)b->page + b->size / (1 + BECOME_PAGES);
	u64 head = __atomic_load_n(&b->page->data_head, __ATOMIC_ACQUIRE);
	bool executed = false;

	for (u64 at = 0; at < head;) {
		const struct perf_event_header *h = (const void *)(data + at);
		const struct mapping_record *m = (const void *)h;

		at += h->size;
		if (h->type == PERF_RECORD_COMM && h->misc & PERF_RECORD_MISC_COMM_EXEC)
			executed = true;
		if (h->type != PERF_RECORD_MMAP2 || !executed)
			continue;
		executed = false;                /* the program is mapped first */
		if (m->ino != b->program.ino && strcmp(m->path, b->told) && !is_probed(b, m->ino))
			return m->path;
	}
	return NULL;
}

void becomes_say(struct dtx_session *s)
{
	for (const struct become *b = s->becomes; b; b = b->next) {
		struct dtx_message m = MESSAGE(DTX_NOTICE, DTX_WARNING);
		const char *other = other_program(b);

		m.hint = "to trace that program, start it itself with -c, or name its process "
			 "with -p";
		if (other)
			consumer_tell(s->con, m, "process %d has executed another program, %s: "
				      "the probes in %s are not in it", b->pid, other, b->told);
	}
}

void becomes_free(struct dtx_session *s)
{
	while (s->becomes) {
		struct become *b = s->becomes;

		s->becomes = b->next;
		free_one(b);
	}
}
