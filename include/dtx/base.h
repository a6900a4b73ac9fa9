/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base.h - memory, containers and files, used by every part of dtx.
 *
 * Memory: an arena holds everything with one lifetime (a compilation, a snapshot) and is
 * freed as a whole.  Allocation never returns NULL: when memory is out, the function of
 * dtx_on_out_of_memory() is called, or the process is aborted.
 */
#ifndef DTX_BASE_H
#define DTX_BASE_H

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_SIZE(a)  (sizeof(a) / sizeof((a)[0]))
#define PRINTF_LIKE(f, a)  __attribute__((format(printf, f, a)))
/* A probe's name, of any struct that has its four parts: printf(PROBE_NAME, PROBE_PARTS(p)). */
#define PROBE_NAME      "%s:%s:%s:%s"
#define PROBE_PARTS(p)  (p)->prov, (p)->mod, (p)->func, (p)->name
#define ALIGN_UP(x, a)  (((x) + (a) - 1) / (a) * (a))
/* Each side is evaluated once: it may be a call.  The comparison after if (0) never runs: in it the
 * compiler sees constants as such, and warns if one side has a sign and the other one has not. */
#define MIN(a, b)  BETTER_OF(a, <, b, __COUNTER__)
#define MAX(a, b)  BETTER_OF(a, >, b, __COUNTER__)
#define BETTER_OF(a, op, b, n)  BETTER_N(a, op, b, n)    /* n: makes the names differ */
#define BETTER_N(a, op, b, n)  ({                                       \
	__typeof__((a) op (b) ? (a) : (b)) a_##n = (a), b_##n = (b);    \
	if (0)                                                          \
		(void)((a) op (b));                                     \
	a_##n op b_##n ? a_##n : b_##n; })
/* The first i of 0 … n - 1 for which the condition on i is true, as it is for all that follow; n:
 * for none. */
#define BISECT(i, n, condition) ({                                      \
	u32 from_ = 0, to_ = (n);                                       \
	while (from_ < to_) {                                           \
		u32 i = from_ + (to_ - from_) / 2;                      \
		if (condition)                                          \
			to_ = i;                                        \
		else                                                    \
			from_ = i + 1;                                  \
	}                                                               \
	from_; })

/* ---- base/arena.c ------------------------------------------------------ */

struct arena;

struct arena *arena_new(void);
struct arena *arena_within(struct arena *);      /* freed together with the other one */
void arena_clear(struct arena *);                /* forget what was handed out */
void arena_free(struct arena *);                 /* NULL is fine */
void *arena_alloc(struct arena *, size_t size);  /* zeroed, 16-byte aligned */
void *arena_memdup(struct arena *, const void *, size_t);
char *arena_strdup(struct arena *, const char *);
char *arena_strndup(struct arena *, const char *, size_t);
char *arena_printf(struct arena *, const char *fmt, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *, const char *fmt, va_list);
size_t arena_size(const struct arena *);         /* bytes handed out so far */

#define ARENA_NEW(a, type)       ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n)  ((type *)arena_alloc((a), sizeof(type) * (n)))

/*
 * Appends to an array in an arena.  Only this macro may lengthen the array: its capacity is 2, 4, 8
 * … items and follows from their number n.  Pointers to items are good until the next push.
 */
#define ARENA_PUSH(a, v, n, item) do {                                        \
	(v) = arena_room((a), (v), (n), sizeof(*(v)));                        \
	(v)[(n)++] = (item);                                                  \
} while (0)
/* The array of n items of that size, moved if it has no room for one more. */
void *arena_room(struct arena *, void *v, u32 n, size_t size);

/* The malloc family; cannot fail: out of memory is handled as for the arena. */
void out_of_memory(size_t wanted) __attribute__((noreturn));
void *xmalloc(size_t);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *, size_t);
char *xstrdup(const char *);
char *xprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* ---- base/buf.c: a growing byte buffer --------------------------------- */

struct buf {
	char *data;      /* always NUL-terminated once something was added */
	size_t len;      /* bytes, without the NUL */
	size_t cap;
};

/* Makes room for n more bytes and a NUL; where they begin. */
char *buf_grow(struct buf *, size_t n);
static inline char *buf_room(struct buf *b, size_t n)
{
	return b->cap - b->len > n ? b->data + b->len : buf_grow(b, n);
}
/* What was written there ends before `end`. */
static inline void buf_end(struct buf *b, char *end)
{
	*end = '\0';
	b->len = (size_t)(end - b->data);
}
/* Here, because each byte of output comes through them: a constant text becomes a few stores. */
static inline void buf_add(struct buf *b, const void *data, size_t n)
{
	char *to = buf_room(b, n);

	if (n)
		memcpy(to, data, n);
	buf_end(b, to + n);
}
static inline void buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}
static inline void buf_putc(struct buf *b, char c)
{
	char *to = buf_room(b, 1);

	*to = c;
	buf_end(b, to + 1);
}

/* Seven bits a byte, the lowest first, as in protocol buffers and ULEB128; reading believes that
 * the number has its end. */
static inline void buf_varint(struct buf *b, u64 n)
{
	for (; n >= 0x80; n >>= 7)
		buf_putc(b, (char)(n | 0x80));
	buf_putc(b, (char)n);
}

static inline u64 varint_get(const u8 **p)
{
	u64 n = 0;
	u32 shift = 0;

	for (; **p & 0x80; shift += 7)
		n |= (u64)(*(*p)++ & 0x7f) << shift;
	return n | (u64)*(*p)++ << shift;
}
/* Numbers of which most are 0: how many are not; of each, the zeros before it, and the number. */
void buf_sparse(struct buf *, const u64 *, u32 n);
void buf_pad(struct buf *, char c, int n);       /* n times c; n <= 0: nothing */
void buf_printf(struct buf *, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *, const char *fmt, va_list);
void buf_reset(struct buf *);                    /* len = 0, memory kept */
void buf_free(struct buf *);
void buf_num(struct buf *, s64);                 /* in decimal */
/* A number in decimal at `to`, which has room for DECIMAL_MOST bytes; where it ends. */
#define DECIMAL_MOST  24
char *decimal(u64, char *to);
#define DECIMAL_ZEROS  0x3030303030303030ull
/*
 * The eight digits of n < 10^8 as bytes 0 to 9, the first one lowest.  All at once: halves of four,
 * pairs, then digits; a multiplication and a shift divide by 100 (exact below 10,000) and by 10
 * (below 100).
 */
static inline u64 decimal_digits(u32 n)
{
	u64 fours = n / 10000 | (u64)(n % 10000) << 32;
	u64 hundreds = (fours * 10486 >> 20) & 0x7f0000007full;
	u64 pairs = hundreds | (fours - hundreds * 100) << 16;
	u64 tens = (pairs * 103 >> 10) & 0x000f000f000f000full;

	return tens | (pairs - tens * 10) << 8;
}

/* As text at `to`. */
static inline void decimal_eight(u32 n, char *to)
{
	u64 text = decimal_digits(n) | DECIMAL_ZEROS;

	memcpy(to, &text, 8);
}

/* ---- utf8.c: characters ---------------------------------------------------------------------- */

u32 utf8_put(u32 c, char *to);                   /* bytes written, at most 4; no NUL */
/* Bytes of the character at `text`, which is not empty; 0: malformed. */
u32 utf8_len(const char *text, size_t left);
u32 utf8_get(const char *text, u32 n);           /* the code of that character of n bytes */
size_t utf8_begin(const char *text, size_t at);  /* where the character begins that `at` is in */

/* Is it a byte of a character, and not the first? */
static inline bool utf8_inside(char c)
{
	return ((u8)c & 0xc0) == 0x80;
}

/* Does it stand in names of C and D, and of functions of the kernel? */
static inline bool name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}
size_t name_span(const char *text, const char *more);    /* how many of these it begins with */

/* ---- plain.c: text that others chose, with escapes in place of what acts or hides ----------- */

#define PLAIN_NAME_MOST  4096    /* bytes of a name; what follows is "..." */
enum {                           /* what stays as it is */
	PLAIN_LINES = 1,         /* newline and tab */
	PLAIN_SPACE = 2,         /* what isspace(3) takes, \a and \b: DTrace prints them as text */
	PLAIN_UNSEEN = 4,        /* characters without width, marks of direction */
	PLAIN_BYTES = 8,         /* what is no UTF-8 */
};
bool is_unseen(u32 c);
bool text_is_plain(const char *p, size_t len, unsigned keep);
void buf_plain(struct buf *, const char *p, size_t len, unsigned keep);
void buf_plain_name(struct buf *, const char *p, size_t len);
void buf_plain_from(struct buf *, size_t from);          /* the name that begins there */
const char *plain_name(struct arena *, const char *);    /* itself, if it is plain; NULL is fine */

/* ---- shellquote.c: where in a command of sh a text is ---------------------------------------- */
#define SHELL_DEEP  8            /* commands inside of commands, "$(…)" */
struct shell {
	u8 state[SHELL_DEEP];    /* plain, in '…', in "…"; of each command that is open */
	u8 reader[SHELL_DEEP];   /* a program in it that runs its arguments as commands, or 0 */
	bool again[SHELL_DEEP];  /* it runs the word that comes */
	bool later[SHELL_DEEP];  /* its script is not the next word: an option, '<' or '>' was */
	u32 depth;
	char word[16];           /* the word so far, cut; without the folders before it */
	u32 len;
	char first;              /* of the word with its folders; ' ': none yet, '\0': a value's */
	bool escaped;            /* after a backslash */
	bool lost;               /* something else: `…`, a here-document, too deep */
};
void shell_read(struct shell *, const char *text);       /* the program's own text */
bool shell_reads_again(const struct shell *);    /* eval and its like: quotes do not help */
void shell_quote(const struct shell *, const char *text, size_t len, struct buf *out);

extern const bool json_plain_byte[256];          /* ASCII that stands for itself in a JSON string */
/* How many such bytes `p` begins with. */
size_t json_plain(const char *p, size_t len);
/* How many of the eight bytes at `p` do, up to the first that does not. */
static inline u32 json_plain_eight(const char *p)
{
	const u64 ones = 0x0101010101010101ull;
	u64 w, quote, slash, odd;

	memcpy(&w, p, 8);
	quote = w ^ ones * '"';
	slash = w ^ ones * '\\';
	/* Only the lowest mark is reliable: a borrow may have marked those above it. */
	odd = (w | (w - ones * 0x20) | (quote - ones) | (slash - ones)) & ones << 7;
	return odd ? __builtin_ctzll(odd) / 8 : 8;
}

/* ---- growing typed arrays ---------------------------------------------- */
/* struct { T *v; u32 n, cap; } as a member; heap memory, VEC_FREE frees it.  */

#define VEC(T)  struct { T *v; u32 n, cap; }
#define VEC_PUSH(vec, item) do {                                              \
	if ((vec)->n == (vec)->cap) {                                         \
		(vec)->cap = (vec)->cap ? (vec)->cap * 2 : 8;                 \
		(vec)->v = xrealloc((vec)->v, (vec)->cap * sizeof(*(vec)->v));\
	}                                                                     \
	(vec)->v[(vec)->n++] = (item);                                        \
} while (0)
#define VEC_DROP(vec, first) do {                /* the first so many */         \
	(vec)->n -= (first);                                                  \
	memmove((vec)->v, (vec)->v + (first), (vec)->n * sizeof(*(vec)->v));  \
} while (0)
#define VEC_FREE(vec) do {                                                    \
	free((vec)->v); (vec)->v = NULL; (vec)->n = (vec)->cap = 0;           \
} while (0)

/* In an arena: ARENA_PUSH above. */

/* ---- base/map.c: string -> pointer, open addressing --------------------- */

struct map;

struct map *map_new(void);                       /* keys are copied */
struct map *map_new_of_kept(void);               /* keys live as long as the map */
void map_free(struct map *);                     /* values are the caller's */
void *map_get(const struct map *, const char *key);   /* NULL: absent */
/* NULL: added; else the value already there, which is kept */
void *map_add(struct map *, const char *key, void *value);
void map_set(struct map *, const char *key, void *value);
size_t map_count(const struct map *);
/* In insertion order; stops when fn returns non-zero and returns that. */
int map_each(const struct map *, int (*fn)(const char *key, void *value, void *arg), void *arg);

/* ---- base/hash.c ---------------------------------------------------------- */

u32 hash_bytes(const void *, size_t n);          /* for tables in memory: every bit counts */

/* ---- base/sort.c ---------------------------------------------------------- */

struct sort_key { u64 key; u32 i; };             /* i: which one it was, for the caller */
void sort_keys(struct sort_key *, u32 n);        /* by key; equal ones keep their order */

/* ---- base/keytab.c: keys of fixed size -> values of fixed size, zeroed at first -- */

struct keytab;
struct keytab *keytab_new(u32 key_size, u32 val_size);
void keytab_free(struct keytab *);                       /* NULL is fine */
void *keytab_get(const struct keytab *, const void *key);    /* NULL: absent */
void *keytab_put(struct keytab *, const void *key);      /* found or made; valid until the next */
u32 keytab_index(struct keytab *, const void *key);      /* the same: its number */
u32 keytab_count(const struct keytab *);
size_t keytab_bytes(const struct keytab *);              /* of memory */
const void *keytab_key(const struct keytab *, u32 i);    /* the i-th that was put */
void *keytab_val(const struct keytab *, u32 i);

/* ---- base/glob.c -------------------------------------------------------- */

/*
 * D's patterns (guide, "probe descriptions"): * ? [set] [!set] \quoted.  An
 * empty pattern matches everything; without metacharacters it compares exactly.
 */
bool glob_matches(const char *pattern, const char *text);
bool list_has(const char *list, const char *word);       /* "a,b,c"; NULL: an empty list */
bool is_digits(const char *text);                /* nothing but decimal digits, one at least */
bool glob_is_pattern(const char *pattern);       /* has metacharacters, or is empty */

/* Edit distance for "did you mean"; > max is reported as max + 1. */
unsigned edit_distance(const char *a, const char *b, unsigned max);

/* ---- base/clock.c -------------------------------------------------------- */

/* ns since its epoch, as the kernel's own programs read it: without what a time namespace adds. */
s64 clock_ns(clockid_t clock);
/* The time of day, ns, at which a process began: `ticks` of its /proc/PID/stat. */
s64 clock_began(u64 ticks);
/* So many ns from now, for pthread_cond_timedwait() by CLOCK_MONOTONIC. */
struct timespec clock_after(s64 ns);

/* ---- base/thread.c ------------------------------------------------------- */

/* pthread_create(), for a thread that gets no signals and needs little stack.  0 or -errno. */
int thread_start(pthread_t *, void *(*run)(void *), void *arg);

/* Such a thread that calls fn every so many ms until it is ended.  The struct stays where it is. */
struct periodic {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool runs, ends;
	int ms;
	void (*fn)(void *arg);
	void *arg;
};
int periodic_start(struct periodic *, int ms, void (*fn)(void *arg), void *arg); /* 0 or -errno */
void periodic_end(struct periodic *);            /* waits for fn; one of zeros is fine */
/* Can it be read, or has it ended, within so many ms?  Also where poll(2) is refused. */
bool fd_waits(int fd, int ms);

/* ---- base/file.c --------------------------------------------------------- */

/* Reads a whole file, NUL-terminated, malloc'd.  0 or -errno (-EFBIG: above 256 MB).  Works on
 * /proc and pipes. */
int file_read(const char *path, char **data, size_t *len);
/* Files that the user names, with the rights of the user: without the capabilities to read all
 * files that the file of dtx itself may have.  A descriptor, or -1 and errno; 0 or -errno: see
 * file_why(). */
int file_open_named(const char *path, int flags);
int file_read_named(const char *path, char **data, size_t *len);
/* So are files that a library opens between these two, which the user names in the environment.  Of
 * this thread; the second one keeps errno. */
u32 file_as_user(void);
void file_as_before(u32 taken);
/* The number that a file begins with, as those of /proc/sys do. */
s64 file_number(const char *path, s64 otherwise);
/* Like access(), but honours the effective capabilities. */
int file_access(const char *path, int mode);
int file_read_fd(int fd, char **data, size_t *len);

/* May libraries be loaded?  Not by a program without shared libraries (dtx-run-static). */
extern bool libraries_load;
#define LIBRARIES_NONE  "which a program without shared libraries does not load: use dtx-run"

/* The part "/usr/bin/x" of "/proc/PID/root/usr/bin/x"; NULL: not such a path. */
const char *file_below_root(const char *path);
/*
 * Opens a regular file of a traced process to read; an fd or -errno.  Symbolic links below
 * /proc/PID/root are followed within that root, as the process does.  `flags`: O_NOFOLLOW or
 * 0.
 */
int file_open_object(const char *path, int flags);
struct stat;
int file_stat_object(const char *path, struct stat *);   /* stat(2) of the same file; 0 or -errno */
/* The same, for readers of all of it; -EFBIG: most of it was never written. */
int file_open_dense(const char *path, int flags);
bool file_is_hollow(int fd);                     /* the same question of an open file */
/* Were most of these bytes of the file never written? */
bool file_mostly_holes(int fd, off_t from, off_t size);
/*
 * Opens a file to write to, and creates it if it does not exist; an fd or -errno.  The last part of
 * the path may be a symbolic link only if the superuser or this user owns it, else -ELOOP; a file
 * that is there may not be one that another user has put where everyone may write, else -EEXIST.
 * `flags`: O_WRONLY | O_TRUNC …
 */
int file_create(const char *path, int flags, mode_t mode);
int file_create_at(int dir, const char *name, int flags, mode_t mode);   /* as openat() */
/* Makes a folder, or opens the one that is there, by the same rules.  An fd or -errno. */
int file_make_folder(const char *path);
/* Why a file was not opened, made or written, of the positive error number.  Some have a meaning
 * of their own: EPIPE is a FIFO of another user, ENOTBLK a device, ENOTSOCK a socket, ELOOP and
 * EEXIST what another user has put there, ETIMEDOUT that nobody reads. */
const char *file_why(int err);

/* The same question as access(2) of a file that file_open_object() opens. */
int file_access_object(const char *path, int mode);
/* Where symbolic links of this path lead, in memory to be freed; NULL: there is none. */
char *file_real_object(const char *path);

/* ---- base/fileseen.c ----------------------------------------------------- */

/*
 * What a compilation looks at: each path that the functions above open or ask about between begin
 * and end, and what was there before they did.
 */
struct file_seen {
	u64 dev, ino, size;
	s64 mtime, ctime;                /* ns since the epoch */
	int err;                         /* positive errno: it could not be reached */
};
struct files_seen {
	struct arena *arena;             /* of it all; freed by who has taken it */
	const char **paths;
	struct file_seen *states;        /* the same number */
	u32 n;
	bool passing;                    /* file_note_passing() was called */
};
bool files_seen_begin(void);             /* false: another compilation is noted */
void files_seen_end(struct files_seen *);
void file_note(const char *path);        /* who opens a file by other means */
/* What is asked is of this moment: processes, what other tools do, folders that are searched. */
void file_note_passing(void);
struct file_seen file_seen_now(const char *path);
bool file_seen_same(const struct file_seen *, const struct file_seen *);

/* ---- base/fileview.c ----------------------------------------------------- */

/* Files of code of another machine, in place of those of this one.  A process has one view at most,
 * for all its handles. */
struct file_view;
struct file_view *file_view_new(void);
void file_view_free(struct file_view *);         /* it is not used from now on */
/* The data is not copied.  `mtime` in ns since the epoch. */
void file_view_add(struct file_view *, const char *path, const void *data, size_t len, s64 mtime);
void file_view_link(struct file_view *, const char *path, const char *to);
bool file_view_use(struct file_view *);          /* false: there is another one */
void file_view_except(const char *path);         /* this one is of this machine, whatever is used */
bool file_view_has(const char *path);            /* is it looked for in a view? */
int file_view_open(const char *path);            /* an fd or -errno */
bool file_view_real(const char *path, char *real);       /* PATH_MAX bytes; false: none */

/* ---- base/filewrite.c ---------------------------------------------------- */

/* Writes all of it; 0 or -errno, and then *done (NULL is fine) tells how much was written. */
int file_write(int fd, const void *data, size_t len, size_t *done);
/* Set it when the run has to end: then a write of which nothing is taken fails with ETIMEDOUT when
 * signals have interrupted it.  Who sets it sees to these signals (cmd/signals.c). */
extern volatile sig_atomic_t file_write_hurries;
/* The regular file becomes this, or stays as it was: 0 or -errno.  Others get it as file_write()
 * does. */
int file_put(int fd, const void *data, size_t len);
/* Takes the last n bytes of a regular file back, if nobody has written behind them. */
bool file_cut(int fd, u64 n);

#endif
