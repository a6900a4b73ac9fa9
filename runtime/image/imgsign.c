/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgsign.c - signed images: -x sign=KEY of --image, and --trust of dtx-run.  The signatures are
 * OpenSSH's (ssh-keygen -Y), for the namespace "dtx-image", over the object: all that dtx reads of
 * an image.  In the file they come after it, and before the hash.
 *
 * Verified are the bytes in memory that are used afterwards, before anything is read of them, and
 * with the signers as they were when their file was looked at: no file is opened twice.
 * Why: docs/decisions/52-limits-and-signatures.md
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dtx/opt.h>
#include <dtx/env.h>

#include "runtime/image/image.h"

#define SIGN_MAGIC     "DTXSIGN1"
#define SIGN_NAMESPACE "dtx-image"
#define SIGN_PROGRAM   "/usr/bin/ssh-keygen"     /* nobody's PATH says which verifies */
#define SIGNATURE_AT   "/proc/self/fd/3"
#define SIGNERS_AT     "/proc/self/fd/4"

/* What follows the signature. */
struct sign_end { char magic[8]; u64 len; };

/* Takes the signature away from the length; *sig NULL: there is none.  NULL, or what is wrong. */
static const char *split(const void *file, size_t *len, const char **sig, size_t *sig_len)
{
	struct sign_end end;

	*sig = NULL;
	*sig_len = 0;
	if (*len < sizeof(end))
		return NULL;
	memcpy(&end, (const char *)file + *len - sizeof(end), sizeof(end));
	if (memcmp(end.magic, SIGN_MAGIC, sizeof(end.magic)))
		return NULL;
	*len -= sizeof(end);
	if (end.len > *len)
		return "its signature is longer than the image: make it again with --image FILE";
	*len -= end.len;
	*sig = (const char *)file + *len;
	*sig_len = end.len;
	return NULL;
}

static void add_signature(struct buf *file, const char *sig, size_t len)
{
	struct sign_end end = { .len = len };

	memcpy(end.magic, SIGN_MAGIC, sizeof(end.magic));
	buf_add(file, sig, len);
	buf_add(file, (const char *)&end, sizeof(end));
}

/* ---- ssh-keygen ------------------------------------------------------------------------------ */

struct keygen {
	const char **argv;
	char **env;                      /* NULL: that of this process */
	int fd[5];                       /* stdin, stdout, stderr, and files that it is given; -1 */
};

/* A file in memory with these bytes; -errno. */
static int memory_file(const void *data, size_t len)
{
	int fd = memfd_create("dtx", MFD_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = file_write(fd, data, len, NULL);
	if (!err && lseek(fd, 0, SEEK_SET) < 0)
		err = -errno;
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* Its status; -errno: it did not run. */
static int keygen_run(const struct keygen *k)
{
	posix_spawn_file_actions_t acts;
	int err, status = 0;
	pid_t pid;

	posix_spawn_file_actions_init(&acts);
	for (int i = 0; i < (int)ARRAY_SIZE(k->fd); i++)
		if (k->fd[i] >= 0)
			posix_spawn_file_actions_adddup2(&acts, k->fd[i], i);
	err = k->env ? posix_spawn(&pid, k->argv[0], &acts, NULL, (char **)k->argv, k->env) :
		       posix_spawnp(&pid, k->argv[0], &acts, NULL, (char **)k->argv, environ);
	posix_spawn_file_actions_destroy(&acts);
	if (err)
		return -err;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static char *written_in(int fd, size_t *len)
{
	char *text = NULL;

	if (lseek(fd, 0, SEEK_SET) < 0 || file_read_fd(fd, &text, len))
		return NULL;
	return text;
}

static void close_all(struct keygen *k)
{
	for (u32 i = 0; i < ARRAY_SIZE(k->fd); i++)
		if (k->fd[i] >= 0)
			close(k->fd[i]);
}

/* Moves the files above those that they become, so that none is closed by another. */
static bool move_up(struct keygen *k)
{
	for (u32 i = 0; i < ARRAY_SIZE(k->fd); i++) {
		int high = k->fd[i] < 0 ? -1 : fcntl(k->fd[i], F_DUPFD_CLOEXEC, 16);

		if (k->fd[i] >= 0 && high < 0)
			return false;
		if (k->fd[i] >= 0)
			close(k->fd[i]);
		k->fd[i] = high;
	}
	return true;
}

static int fail_keygen(struct dtx_env *env, const char *what, int status, int said)
{
	size_t len = 0;
	char *text = status > 0 ? written_in(said, &len) : NULL;
	int err;

	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
	err = dtx_env_fail(env, -EPERM, "%s: %s", what,
			   status == -ENOENT ? "ssh-keygen of OpenSSH is not installed" :
			   status < 0 ? strerror(-status) : text && *text ? text : "it failed");
	free(text);
	return err;
}

int img_sign(struct dtx_env *env, const char *key, const void *elf, size_t len, struct buf *file)
{
	const char *argv[] = { "ssh-keygen", "-Y", "sign", "-q", "-n", SIGN_NAMESPACE, "-f", key,
			       NULL };
	struct keygen k = { argv, NULL, { memory_file(elf, len), memory_file("", 0),
					  memory_file("", 0), -1, -1 } };
	int status = move_up(&k) ? keygen_run(&k) : -EMFILE;
	size_t sig_len = 0;
	char *sig = status ? NULL : written_in(k.fd[1], &sig_len);
	int err = 0;

	if (sig && sig_len)
		add_signature(file, sig, sig_len);
	else
		err = fail_keygen(env, arena_printf(env->arena, "cannot sign the image with %s",
						    key), status ? status : 1, k.fd[2]);
	free(sig);
	close_all(&k);
	return err;
}

/* ---- verifying ------------------------------------------------------------------------------ */

/* The file with the signers, in memory; -errno with a failure.  Who can change it could sign for
 * anybody: it belongs to the superuser, or to this user. */
static int signers_file(struct dtx_env *env, const char *path)
{
	int fd = file_open_named(path, O_RDONLY), copy;
	const char *why = fd < 0 ? file_why(errno) : NULL;
	char *text = NULL;
	struct stat st;
	size_t len = 0;

	if (!why && (fstat(fd, &st) || !S_ISREG(st.st_mode)))
		why = "it is no file of text";
	else if (!why && st.st_uid && st.st_uid != getuid())
		why = "it belongs to another user than root";
	else if (!why && st.st_mode & (S_IWGRP | S_IWOTH))
		why = "others may write to it";
	else if (!why && file_read_fd(fd, &text, &len))
		why = "it cannot be read";
	if (fd >= 0)
		close(fd);
	copy = why ? -1 : memory_file(text, len);
	free(text);
	if (copy >= 0)
		return copy;
	return dtx_env_fail(env, -EPERM, "cannot trust the signers in %s: %s", path,
			    why ? why : strerror(-copy));
}

/* Runs it with a new file for what it prints, and one for what it says. */
static int keygen_asks(struct keygen *k, const char **argv)
{
	for (u32 i = 1; i <= 2; i++) {
		if (k->fd[i] >= 0)
			close(k->fd[i]);
		k->fd[i] = memory_file("", 0);
	}
	if (k->fd[0] >= 0)
		lseek(k->fd[0], 0, SEEK_SET);
	k->argv = argv;
	return move_up(k) ? keygen_run(k) : -EMFILE;
}

/* Whose signature is it?  A name of the file, in the arena; NULL: of none of them. */
static const char *verified_by(struct dtx_env *env, struct keygen *k, int *status)
{
	const char *find[] = { SIGN_PROGRAM, "-Y", "find-principals", "-s", SIGNATURE_AT, "-f",
			       SIGNERS_AT, NULL };
	char *names, *at, *name;
	const char *found = NULL;

	*status = keygen_asks(k, find);
	names = *status ? NULL : written_in(k->fd[1], NULL);
	at = names;
	while (!found && (name = strsep(&at, "\n"))) {
		const char *verify[] = { SIGN_PROGRAM, "-Y", "verify", "-q", "-n", SIGN_NAMESPACE,
					 "-I", name, "-s", SIGNATURE_AT, "-f", SIGNERS_AT, NULL };

		if (!*name)
			continue;
		*status = keygen_asks(k, verify);
		if (!*status)
			found = arena_strdup(env->arena, name);
	}
	free(names);
	return found;
}

struct img_signed {
	const void *elf;
	size_t len;
	const char *sig;                 /* NULL: it is not signed */
	size_t sig_len;
	const char *signers;             /* path of their file */
};

/* Who of the signers has signed it; NULL with a failure: none. */
static const char *verify(struct dtx_env *env, const struct img_signed *s)
{
	static char search[] = "PATH=/usr/bin:/bin";
	char *plain[] = { search, NULL };
	struct keygen k = { .env = plain, .fd = { -1, -1, -1, -1, -1 } };
	const char *found = NULL;
	int status = 0;

	if (!s->sig) {
		dtx_env_fail(env, -EPERM, "the image is not signed, and only images of the "
			     "signers in %s are run: make it with dtx --image FILE -x sign=KEY",
			     s->signers);
		return NULL;
	}
	k.fd[4] = signers_file(env, s->signers);
	if (k.fd[4] < 0)
		return NULL;
	k.fd[0] = memory_file(s->elf, s->len);
	k.fd[3] = memory_file(s->sig, s->sig_len);
	if (k.fd[0] >= 0 && k.fd[3] >= 0)
		found = verified_by(env, &k, &status);
	if (!found)
		fail_keygen(env, arena_printf(env->arena, "no signer in %s has signed this image",
					      s->signers), status ? status : -EIO, k.fd[2]);
	close_all(&k);
	return found;
}

/* ---- the file ------------------------------------------------------------------------------- */

static bool is_trusted(struct dtx_env *env, const struct img_signed *s, const char *path)
{
	const char *who = s->signers ? verify(env, s) : NULL;

	if (who && !env_is_quiet(env))
		diags_say(&env->diags, MESSAGE(DTX_NOTICE, DTX_INFO), "%s was signed by %s", path,
			  who);
	return who || !s->signers;
}

struct img *img_of_file(struct dtx_env *env, const char *path, const char *signers, char **bytes)
{
	struct img_signed s = { .signers = signers };
	struct img *img = NULL;
	const char *why;
	size_t len;
	int err = file_read_named(path, bytes, &len);

	if (err) {
		dtx_env_fail(env, err, "cannot read the image %s: %s", path, file_why(-err));
		return NULL;
	}
	why = img_unseal(*bytes, &len);
	why = why ? why : split(*bytes, &len, &s.sig, &s.sig_len);
	s.elf = *bytes;
	s.len = len;
	if (!why && !is_trusted(env, &s, path))
		return NULL;
	if (!why)
		img = img_read(env->arena, &env->diags, *bytes, len);
	if (!img)
		dtx_env_fail(env, -EINVAL, "%s: %s", path, why ? why : env->diags.failure.text);
	return img;
}

/* ---- what may be said beside it -------------------------------------------------------------- */

/* Options that write, read or run nothing, and free no run from a limit of its image. */
static const struct { enum opt_id id; bool is_limit; } harmless[] = {
	{ OPT_quiet, false }, { OPT_quietempty, false },
	{ OPT_duration, true }, { OPT_maxevents, true },
};

/* Of limits 0 is none.  As the image says; 0: it does not. */
static s64 limit_of_image(struct dtx_env *env, const struct img *img, enum opt_id id)
{
	struct options *own = options_new(env->arena);

	for (u32 i = 0; i < img->noptions; i++)
		if (!strcmp(img->options[i].name, opt_rows[id].name))
			options_set(own, env->arena, img->options[i].name, img->options[i].value,
				    NULL);
	return own->v[id].n;
}

int img_trust_options(struct dtx_env *env, const struct img *img)
{
	for (enum opt_id id = 0; id < OPT_N; id++) {
		const char *name = opt_rows[id].name;
		u32 i = 0;
		s64 most;

		if (!opt_is_set(env, id))
			continue;
		while (i < ARRAY_SIZE(harmless) && harmless[i].id != id)
			i++;
		if (i == ARRAY_SIZE(harmless))
			return dtx_env_fail(env, -EPERM, "the option %s is not allowed for an "
					    "image that has to be signed: its signer sets it, "
					    "with -x at --image", name);
		most = harmless[i].is_limit ? limit_of_image(env, img, id) : 0;
		if (most && (!opt_num(env, id) || opt_num(env, id) > most))
			return dtx_env_fail(env, -EPERM, "the option %s may be at most what the "
					    "signed image says", name);
	}
	return 0;
}
