/* SPDX-License-Identifier: BSD-2-Clause */
/* codewalk.h - where a function ends, and where it goes back to its entry (codewalk.c). */
#ifndef DTX_CODEWALK_H
#define DTX_CODEWALK_H

#include <dtx/base.h>
#include <dtx/abi.h>

struct arch_insn;
struct codefile;
struct elfsym;
struct user_function;

#define LOOSE_MAX  4096          /* bytes of a part without a symbol */

struct code_place {
	u64 off, addr;           /* in the file, in the object */
	bool is_jump;            /* what it returns is not known yet */
	u64 to;                  /* where it jumps to, 0: not known */
	u64 slot;                /* the jump is through the word there, 0: not known */
	bool probed;             /* can the kernel set a probe there? */
	bool guarded;            /* fires only sometimes */
	bool unclear;            /* when it jumps cannot be computed */
	struct dtx_guard guard;
};
struct code_places { struct code_place *v; u32 n, cap; };

struct code_ways {
	struct code_places ends, turns;  /* turns: jumps to the entry */
	u64 after_check;         /* place in the file that a call of Go passes once; 0: none */
	const char *why;         /* unknown, and why; NULL: known */
	bool joins;              /* a jump may lead to the bytes that code_turns() was asked for */
	bool tables;             /* jumps through tables, where the stack is as at the entry */
};

/* Of a function of the file, which is held.  Memory of *to is used again. */
void code_walk(struct codefile *, const struct elfsym *, struct code_ways *to);
/* Only where it goes back to its entry; `go`: after_check, too; `past`: does it go back to one of
 * so many bytes after the entry? */
void code_turns(struct codefile *, const struct elfsym *, bool go, u32 past, struct code_ways *to);
/* Addresses of other code that the function takes, each once: at most n.  Returns how many. */
u32 code_taken(struct codefile *, const struct elfsym *, u64 *addrs, u32 n);
/* Sets addr, size (by call frame information) and place in the file of what begins there. */
void code_unnamed(struct codefile *, u64 addr, struct elfsym *);
void code_ways_free(struct code_ways *);
/* codereturn.c: does the code at the address only return? */
bool code_returns(struct codefile *, u64 addr);
bool code_is_stub(struct codefile *, u64 addr);
/* Does what begins at `addr` jump to the middle of the code of `bytes` bytes at `to`? */
bool code_comes_back(struct codefile *, u64 addr, u64 size, u64 to, u64 bytes);
/* The name of a function near it that jumps into the middle of it, as mempcpy() of glibc does into
 * memmove(); NULL: none. */
const char *code_entered(struct codefile *, const struct elfsym *);
/* Does the instruction at `addr`, of which and behind which `size` bytes are there, jump to what
 * returns or jumps for it?  Then it is as one that does it itself; or is it the first one of that,
 * which is as one instruction. */
void code_through(struct codefile *, const u8 *code, u64 size, u64 addr, struct arch_insn *);

/* ---- userfile.c: what is kept between functions ---------------------------------------------- */

/* Bit n: bytes of the code may be a jump to addr + n, or bytes of the data a pointer to it. */
struct user_jumps {
	u64 addr, size;
	u8 *bits;                        /* NULL: they are not known */
};
struct user_ends_cache {
	struct code_ways ways;
	struct map *chosen;      /* names of IFUNC that were told */
	bool told;               /* what ureturn=kernel can do */
	struct map *jumps;       /* path → struct user_jumps */
	struct keytab *others;   /* places where other tools have probes; NULL: not asked yet */
	struct buf asked;        /* user_others_asked() */
};

/* ---- usertail.c: what follows a jump out of a function --------------------------------------- */

struct user_tail_place {
	const char *path;
	u64 off;
	struct dtx_guard guard;
};
struct user_tail {
	bool is_first;           /* the result is the first argument */
	bool is_known;           /* the return fires at these places, if the jump has this guard: */
	struct dtx_guard guard;
	struct user_tail_place *v;       /* in the environment's arena */
	u32 n;
};
/* `number`: of the jump, in the session. */
void user_tail_find(struct dtx_env *, const struct user_function *, const struct code_place *,
		    u64 number, struct user_tail *);

/* ---- userpast.c: an entry whose probe is at a later instruction ---------------------------- */

struct user_past {
	u32 bytes;               /* from the entry to where its probe would be; 0: at the entry */
	u64 starts;              /* where instructions begin after the entry: bits */
};
struct user_past user_past_wanted(struct dtx_env *, const struct user_function *);
/* May it be there?  After what the function itself does, all else that forbids it is looked at. */
bool user_past_allowed(struct dtx_env *, const struct user_function *, const struct user_past *);

struct user_ends_cache *user_ends_cache(struct dtx_env *);
struct codefile *user_code(struct dtx_env *, const char *path);

#endif
