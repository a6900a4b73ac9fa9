/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpp.c - runs the system's C preprocessor on scripts (-C): -D -U -I -H -X.
 *
 * The text goes from memory to its standard input, and its output comes back through
 * a pipe.  A "# 1" line before the text makes its line markers name the script:
 * messages about the result show the original lines.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dtx/arch.h>
#include <dtx/opt.h>
#include <dtx/tag.h>

#include "compiler/front/front.h"

struct cpp {
	struct comp *c;
	VEC(const char *) argv;
};

static const char *cpp_text(struct cpp *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

static const char *cpp_text(struct cpp *p, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = arena_vprintf(p->c->arena, fmt, ap);
	va_end(ap);
	return text;
}

/* The texts of an option with `adds`, split at the characters `ends`, each after `flag`. */
static void cpp_option(struct cpp *p, enum opt_id id, const char *flag, const char *ends)
{
	char *save = NULL, *list = arena_strdup(p->c->arena, opt_text(p->c->env, id));

	for (char *s = strtok_r(list, ends, &save); s; s = strtok_r(NULL, ends, &save))
		VEC_PUSH(&p->argv, cpp_text(p, "%s%s", flag, s));
}

/* 1.6.3 as 0x01006003. */
static u32 cpp_version(const char *text)
{
	u32 major = 2, minor = 0, micro = 0;

	if (text && *text)
		sscanf(text, "%u.%u.%u", &major, &minor, &micro);
	return major << 24 | minor << 12 | micro;
}

static void cpp_predefined(struct cpp *p)
{
	/*
	 * Headers use C extensions that D does not read.  Without gcc or clang, those of glibc
	 * (sys/cdefs.h) remove the attributes, which D needs for the layout of structs.
	 */
	static const char *const gnu[] = {
		"-U__GNUC__",
		"-D__clang__",
		"-U__SIZEOF_INT128__",
		"-D__signed__=signed",
		"-D__signed=signed",
		"-D__const=const",
		"-D__const__=const",
		"-D__volatile__=volatile",
		"-D__restrict=restrict",
		"-D__restrict__=restrict",
		"-D__extension__=",
		"-D__attribute=__attribute__",
		"-D_Alignas(x)=__attribute__((aligned(x)))",
		"-D__asm__(x)=",
		"-D__builtin_va_list=__builtin_va_list_t",
		"-D_Noreturn=",
		"-D__alignof__=sizeof",
		"-D__int128_t=__int128",
		"-D__uint128_t=unsigned __int128",
	};

	for (u32 i = 0; i < ARRAY_SIZE(gnu); i++)
		VEC_PUSH(&p->argv, gnu[i]);
	VEC_PUSH(&p->argv, "-D__SUNW_D=1");
	VEC_PUSH(&p->argv, cpp_text(p, "-D__SUNW_D_VERSION=0x%08x",
				    cpp_version(opt_text(p->c->env, OPT_version))));
	VEC_PUSH(&p->argv, opt_num(p->c->env, OPT_ilp32) ? "-D__SUNW_D_32" : "-D__SUNW_D_64");
	VEC_PUSH(&p->argv, "-D__unix");
	VEC_PUSH(&p->argv, "-D__SVR4");
	VEC_PUSH(&p->argv, "-D__linux");
	VEC_PUSH(&p->argv, cpp_text(p, "-D__%s", machine_uname(p->c->env)->sysname));
	VEC_PUSH(&p->argv, "-D" ARCH_CPP_MACRO);
}

static void cpp_conformance(struct cpp *p)
{
	switch (opt_text(p->c->env, OPT_stdc)[0]) {
	case 'c':
		VEC_PUSH(&p->argv, "-std=c99");
		break;
	case 's':
		VEC_PUSH(&p->argv, "-traditional-cpp");
		break;
	case 't':
		VEC_PUSH(&p->argv, "-std=gnu89");
		break;
	default:
		VEC_PUSH(&p->argv, "-std=gnu99");
	}
}

static void cpp_arguments(struct cpp *p, const struct source *src)
{
	const struct opt_value *opts = p->c->env->opts->v;
	const char *slash = strrchr(src->name, '/');

	VEC_PUSH(&p->argv, opts[OPT_cpppath].s);
	if (opts[OPT_cpphdrs].n)
		VEC_PUSH(&p->argv, "-H");
	cpp_conformance(p);
	cpp_predefined(p);
	cpp_option(p, OPT_define, "-D", "\n");
	cpp_option(p, OPT_undef, "-U", "\n");
	cpp_option(p, OPT_incdir, "-I", "\n");
	cpp_option(p, OPT_cppargs, "", " \t\n");
	if (slash)                       /* files in the folder of the script, last */
		VEC_PUSH(&p->argv, cpp_text(p, "-I%.*s", (int)(slash - src->name + 1), src->name));
	VEC_PUSH(&p->argv, "-");
	VEC_PUSH(&p->argv, NULL);
}

/* The script after a line marker; a "#!" line becomes an empty one. */
static int cpp_input(const struct source *src)
{
	const char *text = src->text, *end = text + src->len;
	int fd = memfd_create("dtx-cpp", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (src->len > 1 && text[0] == '#' && text[1] == '!') {
		text = memchr(text, '\n', src->len);
		text = text ? text : end;
	}
	dprintf(fd, "# 1 \"%s\"\n", src->name);
	file_write(fd, text, end - text, NULL);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Shows the messages of the preprocessor as they are. */
static void cpp_show(struct cpp *p, int printed)
{
	struct buf text = { 0 };
	char part[4096];

	lseek(printed, 0, SEEK_SET);
	for (ssize_t n; (n = read(printed, part, sizeof(part))) > 0;)
		buf_add(&text, part, n);
	diags_show(&p->c->env->diags, &text);
	buf_free(&text);
}

/* Runs in the child; the parent gets a failure through the pipe `said`. */
static void cpp_exec(struct cpp *p, int in, int out, int said, int printed)
{
	int err;

	dup2(in, 0);
	dup2(out, 1);
	dup2(printed, 2);
	signal(SIGPIPE, SIG_DFL);
	execvp(p->argv.v[0], (char *const *)p->argv.v);
	err = errno;
	if (write(said, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* Status of the preprocessor; -errno if it could not be run. */
static int cpp_run(struct cpp *p, int in, char **text, size_t *len)
{
	int out[2], said[2], err = 0, status = 0,
			     printed = memfd_create("dtx-cpp-said", MFD_CLOEXEC);
	pid_t pid;

	file_note_passing();
	if (printed < 0 || pipe2(out, O_CLOEXEC) || pipe2(said, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		cpp_exec(p, in, out[1], said[1], printed);
	close(out[1]);
	close(said[1]);
	if (pid > 0) {
		if (read(said[0], &err, sizeof(err)) != sizeof(err))
			err = 0;
		else
			err = -err;
		file_read_fd(out[0], text, len);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	} else {
		err = -errno;
	}
	cpp_show(p, printed);
	close(printed);
	close(out[0]);
	close(said[0]);
	return err ? err : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void cpp_failed(struct comp *c, const struct source *src, int err)
{
	const char *path = opt_text(c->env, OPT_cpppath);
	struct range at = { src, 0, 0 };
	struct diag *d;

	if (err > 0) {
		d = diag_error(&c->env->diags, DIAG_NONE, at,
			       "the preprocessor '%s' refused the script", path);
		foreign_headers(c, src, d);
		return;
	}
	d = diag_error(&c->env->diags, DIAG_NONE, at, "cannot run the preprocessor '%s': %s", path,
		       strerror(-err));
	diag_hint(&c->env->diags, d, "install a C compiler, or name another one: -x cpppath=PATH");
}

bool cpp_defines(const struct comp *c)
{
	return opt_is_set(c->env, OPT_define);
}

/* The preprocessed script; NULL after an error. */
const struct source *cpp_source(struct comp *c, const struct source *src)
{
	struct cpp p = { .c = c };
	struct source *made = NULL;
	char *text = NULL;
	size_t len = 0;
	int in, err;

	cpp_arguments(&p, src);
	in = cpp_input(src);
	err = in < 0 ? -errno : cpp_run(&p, in, &text, &len);
	if (in >= 0)
		close(in);
	VEC_FREE(&p.argv);
	if (err) {
		cpp_failed(c, src, err);
	} else {
		cheader_blank(text, len, src->name);
		made = source_open(c->env->arena, src->name, text ? text : "", len, src->is_file);
		made->index = src->index;
	}
	free(text);
	return made;
}
