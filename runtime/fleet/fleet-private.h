/* SPDX-License-Identifier: BSD-2-Clause */
/* fleet-private.h - shared by the files of runtime/fleet/. */
#ifndef DTX_FLEET_PRIVATE_H
#define DTX_FLEET_PRIVATE_H

#include "runtime/fleet/fleet.h"
#include "runtime/read/read.h"
#include "runtime/value/value.h"

/* ---- keyset.c: keys of several hosts ---------------------------------------------------- */

struct texts;                    /* words and frames that keys consist of */
struct texts *texts_new(void);
void texts_free(struct texts *);
size_t texts_bytes(const struct texts *);  /* of memory, about */
void texts_share(struct texts *);                /* they are of several machines */

/* Keys of one shape, each once. */
struct keyset;
struct keyset *keyset_new(struct texts *, const struct img_agg *);
void keyset_free(struct keyset *);
u32 keyset_put(struct keyset *, const struct val *keys);         /* its number, from 0 */
size_t keyset_bytes(const struct keyset *);
u32 keyset_count(const struct keyset *);
struct val *keyset_read(const struct keyset *, struct arena *, u32 key);

/* ---- merged.c: the rows of several hosts, added ----------------------------------------- */

struct merged;
/* The agg* options, read once for each print. */
struct agg_opts {
	bool by_key, reverse;
	u32 key_first, first, top;
};
/* Of aggregations that are printed together.  `keys`: stays the caller's; NULL: its own. */
struct merged *merged_new(struct texts *, struct keyset *, const struct img_agg *const *aggs,
			u32 naggs);
void merged_free(struct merged *);
size_t merged_bytes(const struct merged *);        /* of its rows */
void merged_norm(struct merged *, u32 i, s64 norm);        /* the factor of a host */
void merged_add(struct merged *, u32 key, u32 i, const u64 *words);
void merged_add_rows(struct merged *, const struct agg_print *);
void merged_add_merged(struct merged *, struct merged *from);        /* of the same aggregations */
void merged_add_one(struct merged *, struct merged *from, u32 i);     /* one of them */
/* Was one normalized by several factors?  Then its values are as they were counted. */
const struct img_agg *merged_mixed(const struct merged *);
/* The rows, in the order of the options (NULL: in none); valid as long as the arena, and until rows
 * are added. */
void merged_print(struct merged *, struct arena *, const struct agg_opts *, struct agg_print *out);

/* Only the n largest ones. */
void merged_cut(struct agg_print *, u32 n, bool reverse);

/* ---- states.c: what a host has told last ------------------------------------------------ */

struct states;
struct states *states_new(const struct img_agg *);
void states_free(struct states *);               /* NULL is fine */
void states_begin(struct states *, bool all, s64 norm);
/* key NULL: the row has one; else its number is the next one. */
void states_row(struct states *, u32 number, const u32 *key, const u64 *words);
void states_close(struct states *);              /* after the last one, before it is read */
void states_add(struct states *, struct merged *);         /* of one aggregation */
size_t states_bytes(const struct states *);

/* ---- fit.c: the manifest of a host, seen from that of the run --------------------------- */

/* One for each manifest.  Numbers + 1; 0: the run has no such thing. */
struct fit {
	const struct img *img;
	bool same;               /* it is the run's */
	u32 *sites, *aggs, *probes;
};
/* Probes that the run does not have are added to it. */
void fit_make(struct fit *, struct img *run, const struct img *host, struct arena *,
	      struct map *probes, u32 *room);
u32 fit_probe(struct img *run, const struct dtx_probe *, struct arena *, struct map *probes,
	      u32 *room);
u32 fit_probe_add(struct img *run, const struct dtx_probe *, struct arena *, u32 *room);
char *fit_probe_name(const struct dtx_probe *);

/* ---- fleet.c ---------------------------------------------------------------------------- */

enum host_state { HOST_WAITED, HOST_RUNS, HOST_ENDED, HOST_GONE, HOST_OUT };

struct host {
	struct fleet *fleet;
	u32 number;
	const char *name;
	enum host_state state;
	struct replay *replay;
	struct fit fit;
	VEC(u32) late;           /* numbers of the run: probes that were found while tracing */
	struct run_info info;
	const char *within;      /* it is a run of several: whose what follows is */
	u32 within_number;
	s64 offset;              /* of its clock to the run's */
	s64 begun, last;         /* its begin and the last time it told, on the run's clock */
	struct run_end end;
	u32 nmessages;
	u64 lost, lost_in_all;   /* data: as it was told on the way, and at the end */
	size_t kept;             /* bytes of keys and texts that came with it … */
	size_t rows;             /* … and of the rows of a table for these keys */
	u64 misfits;             /* records whose clause is another one there */
	struct states **states;  /* by aggregation: what it told last … */
	bool *final;             /* … unless it printed it at the end */
	bool *shown;             /* by aggregation: it has done a printa() of it */
};

struct fleet {
	struct dtx_env *env;
	FILE *file;
	struct arena *arena;
	struct img *img;         /* of the run: that of the first host */
	const struct img *first; /* the same, before anything is added */
	const char *failure;
	struct map *probes;      /* names -> number + 1, made when a host has other ones */
	u32 room;                /* of probes */
	struct outs *outs;
	struct run_info info;
	bool opened, ended, patient;     /* patient: files, which come as fast as they are read */
	bool stop, exit_all;
	bool namesakes;          /* those were told */
	bool relays;             /* the messages in the recording are shown elsewhere */
	dtx_message_fn *shows;   /* … and this shows others */
	int failed;              /* the sinks could not be opened: with a failure */
	int status;
	VEC(struct dtx_message) notes;   /* those that were told before it was opened */
	VEC(struct host *) hosts;
	VEC(const struct img *) imgs;
	VEC(struct printing *) printings;
	u64 nrounds;
	struct keyset **keys;    /* by aggregation: of states … */
	struct merged **sums;    /* … and of what was printed at the end */
	s64 sample_next;         /* on the clock of fleet_now() */
	bool *printed;           /* by aggregation: a printa() has shown it */
	struct texts *texts;
	struct map *told;        /* notices that one host has told */
	struct map *within;      /* hosts of a recording of several -> number + 1 */
};

static inline bool fleet_several(const struct fleet *f)
{
	return f->hosts.n > 1;
}
#define HOST_BYTES (256u << 20)          /* that keys, texts and rows of one of several may take */

static inline bool host_lives(const struct host *h)
{
	return h->state <= HOST_RUNS;
}
/* How long its run went on so far, ns. */
static inline s64 host_elapsed(const struct host *h)
{
	return h->last - h->begun;
}
const struct img *fleet_image(struct fleet *, const char *manifest, size_t len);
/* Of a recording, or (now) set by the program; not 0: no such value. */
int fleet_option(struct fleet *, const char *name, const char *value, bool now);
void fleet_sample_due(struct fleet *);           /* shows the states of all, if it is time */
/* Of states that one host has told. */
void fleet_sample_of(struct fleet *, u32 agg, struct states *);
int fleet_open(struct fleet *, const struct run_info *first);    /* 0, or -errno with a failure */
struct agg_opts fleet_order(const struct fleet *);
/* May it bring so many rows of these aggregations at once?  If not, it is out. */
bool host_may_bring(struct host *, const struct agg_print *);
/* The aggregation of a host in the run, or NULL: it is another one there. */
const struct img_agg *host_agg(const struct host *, const struct img_agg *);

/* ---- notices.c: messages ------------------------------------------------------------ */

/* Of a host, or (NULL) of the run. */
void fleet_say(struct fleet *, const struct host *, enum dtx_severity, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* Hosts have normalized it by different factors. */
void fleet_say_mixed(struct fleet *, const struct img_agg *);
void fleet_notes(struct fleet *);        /* the sinks get those of before */

/* ---- namesakes.c: hosts that call themselves alike ----------------------------------- */

/* Tells of them once; when all have begun that will, or at the end. */
void fleet_namesakes(struct fleet *);

/* ---- host.c: what a host sends ---------------------------------------------------------- */

extern const struct replay_to host_to;   /* its argument is the host */

/* ---- rounds.c: printa() on every host is printed once ----------------------------------- */

struct printing;
void rounds_event(struct host *, const struct event *, const struct item *);
void rounds_show(struct fleet *, bool all);
void rounds_rest(struct fleet *);                /* at the end */
s64 rounds_next(const struct fleet *);           /* ns until one is shown without those that lack */
void rounds_free(struct fleet *);

#endif
