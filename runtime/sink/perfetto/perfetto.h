/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfetto.h - option perfetto; private to runtime/sink/perfetto/.
 *
 *   perfetto.c    the sink: packets, threads, records, counters
 *   annotation.c  values
 *   schedevent.c  the scheduler's events
 */
#ifndef DTX_PERFETTO_H
#define DTX_PERFETTO_H

#include "runtime/sink/perfetto/perfetto.pb-c.h"
#include "runtime/sink/sink.h"

/* Numbers of tracks: those of threads, processes and counters differ. */
#define TRACK_THREAD   (1ull << 32)
#define TRACK_PROCESS  (2ull << 32)
#define TRACK_COUNTER  (3ull << 32)

struct call { u32 probe; u64 time, frame; };      /* of the entry */

struct thread {
	u32 tid, pid;            /* pid 0: not known */
	char *name;
	VEC(struct call) open;
	bool tracked;            /* its track has these */
};

struct perfetto {
	struct outfile file;
	struct buf out;
	struct pairs *pairs;
	struct keytab *threads;  /* tid -> index + 1 */
	VEC(struct thread) v;
	struct keytab *processes;        /* pid -> 1: it has a track */
	struct map *counters;    /* name -> number of the track */
	u64 ncounters;
	s64 shift;               /* from the run's clock to that of the file, CLOCK_BOOTTIME */
	struct arena *arena;     /* of one packet */
	bool begun;
};

/* Adds a packet to the file. */
void packet_put(struct perfetto *, Perfetto__TracePacket *);
/* What is known of a thread now; NULL and 0: nothing new. */
struct thread *thread_seen(struct out *, u32 tid, u32 pid, const char *name);

/* ---- annotation.c: texts are in p->arena ------------------------------------------------- */

/* Protocol buffers hold UTF-8: other bytes become \xNN.  It ends at a NUL. */
char *plain_text(struct perfetto *, const char *text, size_t len);
/* Sets one of the members with a value. */
void annotate(struct out *, Perfetto__DebugAnnotation *, const struct val *);
/* What the record has. */
void event_values(struct out *, const struct event *, Perfetto__TrackEvent *);

/* ---- schedevent.c ------------------------------------------------------------------------ */

/* false: the record is of no such event, or lacks values. */
bool event_sched(struct out *, const struct event *);

#endif
