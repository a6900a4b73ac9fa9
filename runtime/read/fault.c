/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault.c - what clauses could not do: "error in …", with the place of the expression.
 *
 * A fault is told when it comes.  The same one again, at the same expression and probe, is counted,
 * and the count is told once in FAULT_PERIOD and at the end: a fault of each event would hide all
 * else.  FAULT_MANY of them are worth a hint.
 */
#include <inttypes.h>
#include <stdlib.h>

#include <dtx/arch.h>

#include "runtime/load/load.h"
#include "runtime/read/read-private.h"

#define FAULT_MANY    10000
#define FAULT_PERIOD  1000000000LL       /* ns */

static const struct fault_row {
	const char *text;
	const char *hint;                /* what helps against many of them */
} fault_rows[DTX_FAULT_N] = {
	[DTX_FAULT_UNKNOWN] = { "unknown fault", NULL },
	[DTX_FAULT_BADADDR] = { "invalid address",
		"test pointers before they are followed, p != NULL && p->x > 0, or leave these "
		"firings out with a predicate" },
	[DTX_FAULT_BADALIGN] = { "invalid alignment", NULL },
	[DTX_FAULT_ILLOP] = { "illegal operation", NULL },
	[DTX_FAULT_DIVZERO] = { "divide-by-zero",
		"test the divisor first: n ? x / n : 0, or /n != 0/ as the predicate" },
	[DTX_FAULT_NOSCRATCH] = { "out of scratch space", "give more with -x scratchsize" },
	[DTX_FAULT_KPRIV] = { "invalid kernel access", NULL },
	[DTX_FAULT_UPRIV] = { "invalid user access", NULL },
	[DTX_FAULT_TUPOFLOW] = { "tuple stack overflow", NULL },
	[DTX_FAULT_BADSTACK] = { "bad stack", NULL },
	[DTX_FAULT_BADINDEX] = { "index out of bounds",
		"test the index first, or leave these firings out with a predicate" },
	[DTX_FAULT_BADSIZE] = { "invalid size",
		"limit the size, as in n < 256 ? n : 256, or give more with -x scratchsize" },
	[DTX_FAULT_LOOP] = { "too many iterations of a loop",
		"give the loop an end that it reaches" },
	[DTX_FAULT_ENTRY] = { "no value from the entry of the function",
		"keep the value in a clause at the entry, self->x = arg0, and test it at the "
		"return: /self->x/" },
	[DTX_FAULT_TAIL] = { "no value yet: the function ends here by a jump into another, which "
			     "returns for it", NULL },
	[DTX_FAULT_STACK] = { "not available: the kernel's walk along its stack ends too early, "
			      "at a return probe",
		"before Linux 5.16, use no return probes at functions further out" },
	[DTX_FAULT_MADE] = { "not available: this kernel does not say which frames are trampolines "
			     "of BPF (it has no CONFIG_KALLSYMS_ALL), and this stack may have one",
		"print stack(): it has all frames" },
	[DTX_FAULT_BUCKET] = { "not counted: the bucket would leave 64 bits",
		"give a smaller increment: us instead of ns, KB instead of bytes" },
};

/* ---- folding ------------------------------------------------------------------------- */

struct fault_key {
	u32 site, place, probe, fault;
};

struct fault_state {
	u64 times;                       /* in all */
	u64 untold;
	u32 cpu;                         /* of the last one */
	bool hinted;
};

struct faults {
	struct keytab *seen;             /* struct fault_key → struct fault_state */
	s64 told;                        /* CLOCK_MONOTONIC, when counts were told */
};

struct faults *faults_new(void)
{
	struct faults *f = xcalloc(1, sizeof(*f));

	f->seen = keytab_new(sizeof(struct fault_key), sizeof(struct fault_state));
	return f;
}

void faults_free(struct faults *f)
{
	if (f)
		keytab_free(f->seen);
	free(f);
}

/* ---- telling ------------------------------------------------------------------------- */

/*
 * What to do about an address of the program; told once.  Types of the kernel's functions do not
 * say which pointers are the program's: to dereference one reads the kernel's memory.
 */
static const char *fault_hint(struct consumer *c, const struct fault *f)
{
	bool typed_user = f->probe->place.user_ctx || !strcmp(f->probe->prov, "syscall");
	bool entry = !strcmp(f->probe->name, "entry") ||
		     !strncmp(f->probe->name, "sys_enter", 9);       /* tracepoints */
	const struct dtx_provider *prov = f->probe->provider;        /* NULL: of an image */
	bool of_call = !typed_user && prov && !strcmp(prov->name, "syscall");

	if (c->hinted_page || strcmp(f->text, "invalid address") || f->value < 4096 ||
	    ARCH_UNTAGGED(f->value) >= ARCH_USER_END || (typed_user && !entry))
		return NULL;
	c->hinted_page = true;
	if (of_call)                     /* a stable probe */
		return "it fires when a system call begins, and what the program gives to the call "
		       "may not be in memory yet";
	if (!typed_user && !entry)
		return "it is an address of the program: its memory is read by copyin() and "
		       "copyinstr(), not by dereferencing the pointer; if they did this, the page "
		       "is not in memory";
	if (!typed_user)
		return "it is an address of the program: its memory is read by copyin() and "
		       "copyinstr(), not by dereferencing the pointer; if they did this, the page "
		       "may not be in memory yet: keep the address, self->p = arg0, and read it "
		       "at the return";
	return "if it is right, the page may not be in memory yet: keep the address, self->p = "
	       "arg0, and read it at the return";
}

/* " at -n:1:24, in 'x / y'": the expression, or where its clause begins. */
static void put_place(const struct fault *f, struct buf *b)
{
	const struct img_place *p = f->place;

	if (p && p->file)
		buf_printf(b, " at %s:%u:%u, in '%s'", p->file, p->line, p->column,
			   p->text ? p->text : "");
	else if (f->site->file)
		buf_printf(b, " at %s:%u:%u", f->site->file, f->site->line, f->site->column);
}

/* As the program says it; of an image that does not keep this, the probe. */
static const char *clause_of(const struct fault *f)
{
	return f->site->said ? f->site->said : f->probe->name;
}

static struct dtx_message fault_message(const struct fault *f, const char *probe)
{
	struct dtx_message m = MESSAGE(DTX_FAULT, DTX_ERROR);
	const struct img_place *p = f->place;
	bool own = p && p->file;

	m.at = (struct dtx_place){ .file = own ? p->file : f->site->file,
				   .line = own ? p->line : f->site->line,
				   .column = own ? p->column : f->site->column };
	m.expression = own ? p->text : NULL;
	m.probe = probe;
	m.probe_id = f->probe->id;
	m.cpu = f->cpu;
	m.reason = f->text;
	m.value = f->value;
	m.has_value = f->has_value;
	return m;
}

void consumer_fault(struct consumer *c, const struct fault *f)
{
	bool has = f->detail && *f->detail;
	char *name = xprintf(PROBE_NAME, PROBE_PARTS(f->probe));
	struct dtx_message m = fault_message(f, name);
	struct buf at = { 0 };

	buf_puts(&at, "");
	if (f->pc >= 0)
		buf_printf(&at, " at BPF pc %" PRId64, f->pc);
	put_place(f, &at);
	m.hint = fault_hint(c, f);
	consumer_tell(c, m, "error in %s for probe ID %u (%s): %s%s%s%s%s",
		      clause_of(f), f->probe->id, name, f->text, has ? " (" : "",
		      has ? f->detail : "", has ? ")" : "", at.data);
	free(name);
	buf_free(&at);
}

static struct fault fault_of(const struct img *img, const struct fault_key *k)
{
	return (struct fault){
		.site = &img->sites[k->site], .probe = img_probe(img, k->probe),
		.place = k->place && k->place <= img->nplaces ? &img->places[k->place - 1] : NULL,
		.text = fault_rows[k->fault].text, .pc = -1,
	};
}

/* "the same error came 412 more times". */
static void tell_count(struct consumer *c, const struct fault_key *k, struct fault_state *st)
{
	struct fault f = fault_of(c->ld->img, k);
	char *name = xprintf(PROBE_NAME, PROBE_PARTS(f.probe));
	struct dtx_message m = fault_message(&f, name);
	struct buf at = { 0 };

	buf_puts(&at, "");
	put_place(&f, &at);
	m.cpu = st->cpu;
	m.count = st->untold;
	if (st->times >= FAULT_MANY && !st->hinted) {
		st->hinted = true;
		m.hint = fault_rows[k->fault].hint;
	}
	consumer_tell(c, m, "%" PRIu64 " more of: error in %s for probe ID %u (%s): %s%s",
		      st->untold, clause_of(&f), f.probe->id, name, f.text, at.data);
	st->untold = 0;
	free(name);
	buf_free(&at);
}

void faults_report(struct consumer *c, bool last)
{
	s64 now = clock_ns(CLOCK_MONOTONIC);

	if (!last && now - c->faults->told < FAULT_PERIOD)
		return;
	c->faults->told = now;
	for (u32 i = 0; i < keytab_count(c->faults->seen); i++) {
		struct fault_state *st = keytab_val(c->faults->seen, i);

		if (st->untold)
			tell_count(c, keytab_key(c->faults->seen, i), st);
	}
}

/* ---- records ------------------------------------------------------------------------- */

static void fault_detail(const struct dtx_fault_rec *r, u32 fault, struct fault *f, char *text,
			 size_t size)
{
	switch (fault) {
	case DTX_FAULT_BADADDR:
	case DTX_FAULT_BADALIGN:
	case DTX_FAULT_BADSTACK:
	case DTX_FAULT_BADSIZE:
		f->has_value = r->value != ~0ull;
		if (f->has_value)
			snprintf(text, size, fault == DTX_FAULT_BADSIZE
				 ? "0x%" PRIx64 ", option scratchsize" : "0x%" PRIx64, r->value);
		break;
	case DTX_FAULT_NOSCRATCH:
		snprintf(text, size, "%" PRIu64 " bytes, option scratchsize", r->value);
		break;
	case DTX_FAULT_ENTRY:
		snprintf(text, size,
			 "it was entered before tracing or fork(), or about %u calls ago",
			 DTX_CALLS_MAX);
		break;
	case DTX_FAULT_BADINDEX:
	case DTX_FAULT_LOOP:
		f->has_value = true;
		snprintf(text, size, "%" PRId64, (s64)r->value);
		break;
	}
}

void consumer_fault_record(struct consumer *c, const void *data, size_t size)
{
	const struct img *img = c->ld->img;
	struct dtx_fault_rec r;
	char detail[80] = "";

	if (size < sizeof(r)) {
		c->malformed++;
		return;
	}
	memcpy(&r, data, sizeof(r));
	u32 fault = r.fault & DTX_FAULT_MASK;
	struct fault_key key = { r.site, r.fault >> DTX_FAULT_PLACE, r.rec.probe,
				 fault < DTX_FAULT_N ? fault : DTX_FAULT_UNKNOWN };

	if (r.site >= img->nsites || r.rec.probe >= img->nprobes) {
		c->malformed++;
		return;
	}
	loss_of_probe(c, r.rec.probe, LOSS_FAULT);
	struct fault_state *st = keytab_put(c->faults->seen, &key);

	st->cpu = r.rec.cpu;
	if (st->times++) {
		st->untold++;
		faults_report(c, false);
		return;
	}
	struct fault told = fault_of(img, &key);

	if (!c->faults->told)
		c->faults->told = clock_ns(CLOCK_MONOTONIC);

	told.cpu = r.rec.cpu;
	told.pc = r.pc;
	told.value = r.value;
	told.detail = detail;
	fault_detail(&r, fault, &told, detail, sizeof(detail));
	consumer_fault(c, &told);
}
