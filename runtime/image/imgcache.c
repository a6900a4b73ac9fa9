/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgcache.c - programs that were compiled before: what an entry depends on, and its bytes.
 *
 * An entry is what a compilation gave, with all that it was given (the key) and all that it looked
 * at (the proof):
 *
 *   key     texts, operands, options, and what the machine is at this moment: the boot, its
 *           modules and events, the settings and rights that decide what can be read and tried
 *   proof   abilities, which are tried again; files, with the state that they had
 *   options that pragmas have set
 *   object  as the compiler gave it
 *
 * The key is compared byte by byte, so equal hashes do no harm. What cannot be proved later, or was
 * worth a message, is not kept.
 * Why: docs/decisions/53-cache.md
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <dtx/optrow.h>
#include <dtx/progkind.h>

#include "runtime/code/code.h"
#include "runtime/image/image.h"
#include "runtime/machine/machine.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/provider.h"

#define FRESH_NS  100000000      /* a file that was changed since may have changed again within a
				  * tick of the clock that dates files (jiffies: 10 ms at most) */
#define COARSE_NS 2000000000     /* where files are dated in seconds (ext3), or two (FAT) */
#define CAPS_ALL  64

struct img_cache {
	struct dtx_env *env;
	int folder;                      /* fd */
	struct buf key;
	u64 hash;                        /* of the key: the name of the entry */
	const void *object;              /* found */
	size_t object_len;
	struct options *before;          /* a copy */
	u32 messages;                    /* sent while it was compiled */
};

/* ---- the key: this machine, now ------------------------------------------------------------ */

/* Which file, or which namespace. */
static void key_file(struct buf *key, const char *path)
{
	struct file_seen f = file_seen_now(path);

	buf_printf(key, "%s %llx %llx %d\n", path, (unsigned long long)f.dev,
		   (unsigned long long)f.ino, f.err);
}

/* The program itself. */
static bool key_self(struct buf *key)
{
	struct file_seen f = file_seen_now("/proc/self/exe");

	buf_printf(key, "%llx %llx %llx %llx %llx\n", (unsigned long long)f.dev,
		   (unsigned long long)f.ino, (unsigned long long)f.size,
		   (unsigned long long)f.mtime, (unsigned long long)f.ctime);
	return !f.err;
}

/* Is it there? */
static void key_is_there(struct dtx_env *env, struct buf *key, const char *path)
{
	buf_printf(key, "%s %d\n", path, machine_access(env, path, R_OK) ? errno : 0);
}

static bool key_add_file(struct dtx_env *env, struct buf *key, const char *path)
{
	char *text = NULL;
	size_t len = 0;
	int err = machine_read(env, path, &text, &len);

	buf_printf(key, "%s %d %zu\n", path, err, len);
	buf_add(key, text ? text : "", len);
	free(text);
	return !err;
}

/*
 * Name, size, state and address of each module: without the number of its users.  One that was
 * taken out and loaded again has another folder, and may have other code.
 */
static void key_modules(struct dtx_env *env, struct buf *key)
{
	char *text = NULL, *save = NULL, name[128], size[32], state[32], address[32], path[160];

	if (machine_read(env, "/proc/modules", &text, NULL))
		return;
	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		*state = *address = '\0';
		if (sscanf(l, "%127s %31s %*s %*s %31s %31s", name, size, state, address) < 2)
			continue;
		snprintf(path, sizeof(path), "/sys/module/%s", name);
		buf_printf(key, "%s %s %s %llu\n", size, state, address,
			   (unsigned long long)file_seen_now(path).ino);
		buf_printf(key, "%s\n", name);
	}
	free(text);
}

static void key_rights(struct buf *key)
{
	gid_t groups[256];
	int n = getgroups(ARRAY_SIZE(groups), groups);
	u64 caps = 0;

	for (u32 i = 0; i < CAPS_ALL; i++)
		caps |= (u64)env_has_cap(i) << i;
	buf_printf(key, "%u %u %u %u %llx", getuid(), geteuid(), getgid(), getegid(),
		   (unsigned long long)caps);
	for (int i = 0; i < n; i++)
		buf_printf(key, " %u", groups[i]);
	buf_putc(key, '\n');
}

/* Variables that decide where files are looked for. */
static void key_variables(struct buf *key)
{
	static const char *const names[] = {
		"PATH", "LD_LIBRARY_PATH", "HOME", "XDG_CACHE_HOME", "DEBUGINFOD_URLS",
		"DEBUGINFOD_CACHE_PATH",
	};

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		buf_printf(key, "%s=%s\n", names[i], getenv(names[i]) ? getenv(names[i]) : "");
}

/* Types, symbols, functions and events are those of a boot with its modules; whether they are shown
 * depends on rights, and on these. */
static const char *const key_settings[] = {
	"/sys/kernel/security/lockdown", "/proc/sys/kernel/perf_event_paranoid",
	"/proc/sys/kernel/perf_event_max_stack", "/proc/sys/kernel/kptr_restrict",
	"/sys/kernel/tracing/dynamic_events",
};
static const char *const key_places[] = {
	"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events",
	"/sys/kernel/debug/kprobes/blacklist", "/sys/kernel/btf/vmlinux", "/proc/kallsyms",
};
static const char *const key_spaces[] = {
	"/proc/self/ns/user", "/proc/self/ns/mnt", "/proc/self/ns/pid",
};

/* false: which boot it is cannot be told. */
static bool key_machine(struct dtx_env *env, struct buf *key)
{
	const struct utsname *u = machine_uname(env);
	bool known;

	buf_printf(key, "%s %s %s\n%u %u %u %d\n", u->release, u->version, u->machine,
		   env->pidns, env->ncpus, env->hz, env->names_all);
	known = key_add_file(env, key, "/proc/sys/kernel/random/boot_id") && key_self(key);
	for (u32 i = 0; i < ARRAY_SIZE(key_spaces); i++)
		key_file(key, key_spaces[i]);
	for (u32 i = 0; i < ARRAY_SIZE(key_places); i++)
		key_is_there(env, key, key_places[i]);
	for (u32 i = 0; i < ARRAY_SIZE(key_settings); i++)
		key_add_file(env, key, key_settings[i]);
	key_modules(env, key);
	key_rights(key);
	key_variables(key);
	return known;
}

/* ---- the proof ----------------------------------------------------------------------------- */

/* Files in which probes are set: they are opened now, and those are traced or none. */
static void proof_objects(const struct img *img, struct buf *b)
{
	for (u32 i = 0; i < img->nprobes; i++) {
		const struct dtx_probe *p = img_probe(img, i);
		const char *path = p->place.target;

		if (kind_is(p->prog.kind, KIND_USER) && path &&
		    (!i || path != img_probe(img, i - 1)->place.target))
			buf_printf(b, "object %s\n", path);
	}
}

/* May it have changed within the grain of its dates? */
static bool is_fresh(const struct file_seen *f)
{
	s64 age = clock_ns(CLOCK_REALTIME) - f->ctime;

	return f->ctime && age < (f->ctime % 1000000000 ? FRESH_NS : COARSE_NS);
}

/* false: it cannot be proved later that it is the same. */
static bool proof_file(const char *path, const struct file_seen *f, struct buf *b)
{
	struct file_seen now = file_seen_now(path);

	if (!strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5))
		return machine_records(path);
	if (strchr(path, '\n') || !file_seen_same(f, &now) || is_fresh(f))
		return false;
	buf_printf(b, "file %llu %llu %llu %lld %lld %d %s\n", (unsigned long long)f->dev,
		   (unsigned long long)f->ino, (unsigned long long)f->size, (long long)f->mtime,
		   (long long)f->ctime, f->err, path);
	return true;
}

static bool proof_files(const struct files_seen *s, struct buf *b)
{
	bool good = !s->passing;

	for (u32 i = 0; i < s->n && good; i++)
		good = proof_file(s->paths[i], &s->states[i], b);
	return good;
}

static bool proves(struct dtx_env *env, const char *line)
{
	unsigned long long dev, ino, size;
	long long mtime, ctime;
	struct file_seen now;
	u32 id;
	int yes, err, n = 0;

	if (sscanf(line, "other %d %llx %n", &yes, &ino, &n) == 2 && n)
		return user_others(env, line + n, ino) == yes;
	if (sscanf(line, "can %u %d", &id, &yes) == 2)
		return feature_still(env, id, yes);
	if (!strncmp(line, "object ", 7)) {
		codefile_at(env, line + 7);
		return true;
	}
	if (sscanf(line, "file %llu %llu %llu %lld %lld %d %n", &dev, &ino, &size, &mtime, &ctime,
		   &err, &n) < 6 || !n)
		return false;
	now = file_seen_now(line + n);
	return file_seen_same(&now, &(struct file_seen){ dev, ino, size, mtime, ctime, err });
}

static bool proof_holds(struct dtx_env *env, char *text)
{
	char *save = NULL;
	bool good = true;

	for (char *l = strtok_r(text, "\n", &save); l && good; l = strtok_r(NULL, "\n", &save))
		good = proves(env, l);
	return good;
}

/* ---- the bytes of an entry ------------------------------------------------------------------ */

enum { PART_KEY, PART_PROOF, PART_OPTIONS, PART_OBJECT, PARTS };

struct entry_head {
	char magic[8];
	u64 len[PARTS];
};

#define ENTRY_MAGIC "DTXKEPT1"

/* At the end is what images end with: a hash of all before it. */
static void entry_put(struct buf *b, const struct buf part[PARTS])
{
	struct entry_head head = { 0 };
	struct img_seal seal;

	memcpy(head.magic, ENTRY_MAGIC, sizeof(head.magic));
	for (u32 i = 0; i < PARTS; i++)
		head.len[i] = part[i].len;
	buf_add(b, &head, sizeof(head));
	for (u32 i = 0; i < PARTS; i++)
		buf_add(b, part[i].data ? part[i].data : "", part[i].len);
	seal = img_seal(b->data, b->len);
	buf_add(b, &seal, sizeof(seal));
}

/* The parts, without copies; false: it is damaged. */
static bool entry_take(char *data, size_t len, struct buf part[PARTS])
{
	struct img_seal seal, right;
	struct entry_head head;
	size_t at = sizeof(head);

	if (len < sizeof(head) + sizeof(seal))
		return false;
	len -= sizeof(seal);
	memcpy(&head, data, sizeof(head));
	memcpy(&seal, data + len, sizeof(seal));
	right = img_seal(data, len);
	if (memcmp(head.magic, ENTRY_MAGIC, sizeof(head.magic)) ||
	    memcmp(&seal, &right, sizeof(seal)))
		return false;
	for (u32 i = 0; i < PARTS; i++) {
		if (head.len[i] > len - at)
			return false;
		part[i] = (struct buf){ .data = data + at, .len = head.len[i] };
		at += head.len[i];
	}
	return at == len;
}

static void cache_find(struct img_cache *c)
{
	struct buf part[PARTS];
	size_t len = 0;
	char *data = imgentry_read(c->folder, c->hash, &len), *proof;

	if (!data)
		return;
	if (entry_take(data, len, part) && part[PART_KEY].len == c->key.len &&
	    !memcmp(part[PART_KEY].data, c->key.data, c->key.len)) {
		proof = arena_strndup(c->env->arena, part[PART_PROOF].data, part[PART_PROOF].len);
		if (proof_holds(c->env, proof) &&
		    options_change(c->env->opts, c->env->arena, part[PART_OPTIONS].data,
				   part[PART_OPTIONS].len)) {
			c->object = arena_memdup(c->env->building, part[PART_OBJECT].data,
						 part[PART_OBJECT].len);
			c->object_len = part[PART_OBJECT].len;
			imgentry_used(c->folder, c->hash);
		}
	}
	free(data);
}

/* ---- before and after a compilation --------------------------------------------------------- */

/* How long it takes is of the first time alone. */
static void cache_hears(void *arg, const struct dtx_message *m)
{
	struct img_cache *c = arg;

	c->messages += m->kind != DTX_PROGRESS;
}

static void cache_free(struct img_cache *c)
{
	close(c->folder);
	buf_free(&c->key);
	free(c);
}

struct img_cache *img_cache_open(struct dtx_env *env, const struct buf *asked)
{
	struct img_cache *c = xcalloc(1, sizeof(*c));

	c->env = env;
	c->folder = imgentry_folder();
	if (c->folder < 0 || env->diags.first || env->diags.also || !key_machine(env, &c->key)) {
		cache_free(c);
		return NULL;
	}
	buf_add(&c->key, asked->data, asked->len);
	c->hash = img_seal(c->key.data, c->key.len).hash;
	c->before = options_copy(env->arena, env->opts);
	cache_find(c);
	if (c->object)
		return c;
	if (!files_seen_begin()) {
		cache_free(c);
		return NULL;
	}
	env->diags.also = cache_hears;
	env->diags.also_arg = c;
	return c;
}

const void *img_cache_found(const struct img_cache *c, size_t *len)
{
	*len = c->object_len;
	return c->object;
}

/* Is the machine still what it was before? */
static bool cache_key_holds(const struct img_cache *c)
{
	struct buf now = { 0 };
	bool same = key_machine(c->env, &now) && now.len <= c->key.len &&
		    !memcmp(now.data, c->key.data, now.len);

	buf_free(&now);
	return same;
}

/* Processes end. */
static bool cache_may_keep(const struct img_cache *c, const struct img *made)
{
	if (!made || c->messages || c->env->diags.first || made->no_target ||
	    diags_failed(&c->env->diags))
		return false;
	for (u32 i = 0; i < made->nprobes; i++)
		if (img_probe(made, i)->place.pid > 0)
			return false;
	return true;
}

static void cache_keep(struct img_cache *c, const struct img *made, const struct files_seen *s)
{
	struct buf part[PARTS] = {
		[PART_KEY] = c->key,
		[PART_OBJECT] = { .data = (char *)made->elf, .len = made->elf_len },
	}, entry = { 0 };

	features_asked(c->env, &part[PART_PROOF]);
	proof_objects(made, &part[PART_PROOF]);
	user_others_asked(c->env, &part[PART_PROOF]);
	options_changes(c->before, c->env->opts, &part[PART_OPTIONS]);
	if (proof_files(s, &part[PART_PROOF]) && cache_key_holds(c)) {
		entry_put(&entry, part);
		imgentry_write(c->folder, c->hash, &entry);
	}
	buf_free(&part[PART_PROOF]);
	buf_free(&part[PART_OPTIONS]);
	buf_free(&entry);
}

void img_cache_close(struct img_cache *c, const struct img *made)
{
	struct files_seen s;

	if (!c->object) {
		c->env->diags.also = NULL;
		files_seen_end(&s);
		if (cache_may_keep(c, made))
			cache_keep(c, made, &s);
		arena_free(s.arena);
	}
	cache_free(c);
}
