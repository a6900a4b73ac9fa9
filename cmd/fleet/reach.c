/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reach.c - ssh as the user has it, and the way of dtx-run to a host that lacks this version.
 *
 * Many ssh that ask at one terminal cannot be answered.  So all are called with BatchMode, which
 * asks nothing; those that would have asked are called again, one after the other.
 *
 * The text for the remote shell has no ' and no line breaks, so that every login shell takes it as
 * one word.  What it writes is opened, removed and executed: nothing stays on the disk, and dtx-run
 * is gone with its process.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include <dtx-run.h>

#include "cmd/fleet/peer.h"
#include "cmd/fleet/reach.h"

/* As sftp does: the login's forwardings and commands are not for this. */
#define SSH "exec ssh -T -o ClearAllForwardings=yes -o RemoteCommand=none -o ForwardX11=no " \
	    "-o PermitLocalCommand=no "

/* $1: stage two.  %s: the prefix of become; the version. */
static const char stage_one[] =
	"PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin; s=; "
	"[ \"$(id -u)\" = 0 ] || s=\"%s\"; "
	"p=$(command -v dtx-run) && [ \"$($p --version 2>/dev/null)\" = \"dtx-run: %s\" ] && "
	"exec $s \"$p\" --agent; "
	"exec $s sh -c \"$1\" dtx";

/* %zu: bytes of the program, for which there has to be room; its KB.  A line tells how many bytes
 * come after it.  The file has no name any more when they do: whatever happens, none stays. */
static const char stage_two[] =
	"umask 077; for d in /dev/shm \"$XDG_RUNTIME_DIR\" /run \"${TMPDIR:-/tmp}\"; do "
	"f=\"$d/.dtx-run-$$\"; "
	"if [ -n \"$d\" ] && [ -d \"$d\" ] && [ -w \"$d\" ] && "
	"(set -C; : >\"$f\") 2>/dev/null; then "
	"if chmod 700 \"$f\" && [ -x \"$f\" ] && exec 4>\"$f\" 3<\"$f\" && rm -f \"$f\" && "
	"head -c %zu /dev/zero >&4 2>/dev/null && exec 4>/proc/self/fd/4; then "
	"printf \"\\000DTX-NEEDS %%s\\n\" \"$(uname -m)\"; "
	"read -r n && head -c \"$n\" | gzip -dc >&4 || exit 1; "
	"exec 4>&-; exec /proc/self/fd/3 --agent; fi; "
	"exec 3<&- 4>&-; rm -f \"$f\"; fi; done; "
	"echo \"no folder in memory (/dev/shm, /run) or TMPDIR takes a program of %zu KB\" >&2; "
	"exit 1";

static void add_text(struct bytes *b, const char *text)
{
	bytes_add(b, text, strlen(text));
}

static void add_quoted(struct bytes *b, const char *text)
{
	add_text(b, "'");
	for (; *text; text++)
		if (*text == '\'')
			add_text(b, "'\\''");
		else
			bytes_add(b, text, 1);
	add_text(b, "'");
}

/* ---- dtx-run ---------------------------------------------------------------------- */

static FILE *open_beside(const char *name, struct timespec *made)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 20);
	struct stat st = { 0 };
	char *slash;
	FILE *f;

	path[n < 0 ? 0 : n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	strcpy(slash + 1, name);
	f = dtx_input(path);
	if (f)
		fstat(fileno(f), &st);
	*made = st.st_mtim;
	return f;
}

/* They stand beside dtx.  A static one also runs where another C library is; one that is older than
 * dtx-run was left there by an earlier version. */
static FILE *open_program(void)
{
	struct timespec made, made_static;
	FILE *f = open_beside("dtx-run", &made), *s = open_beside("dtx-run-static", &made_static);
	FILE *old;

	if (!f || !s)
		return s ? s : f;
	old = made_static.tv_sec < made.tv_sec ||
	      (made_static.tv_sec == made.tv_sec && made_static.tv_nsec < made.tv_nsec) ? s : f;
	fclose(old);
	return old == s ? f : s;
}

static bool pack(struct bytes *to, FILE *from, size_t *size)
{
	char in[64 << 10], out[64 << 10];
	z_stream z = { 0 };
	int end = Z_OK;

	if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	while (end != Z_STREAM_END) {
		z.avail_in = fread(in, 1, sizeof(in), from);
		z.next_in = (unsigned char *)in;
		do {
			z.avail_out = sizeof(out);
			z.next_out = (unsigned char *)out;
			end = deflate(&z, feof(from) || ferror(from) ? Z_FINISH : Z_NO_FLUSH);
			bytes_add(to, out, sizeof(out) - z.avail_out);
		} while (!z.avail_out);
	}
	*size = z.total_in;
	deflateEnd(&z);
	return !ferror(from);
}

static size_t program_size(void)
{
	FILE *f = open_program();
	struct stat st = { 0 };

	if (f) {
		fstat(fileno(f), &st);
		fclose(f);
	}
	return st.st_size;
}

/* Of the size that hosts were told. */
static void read_program(struct reach *r)
{
	FILE *f = open_program();
	size_t size;

	if (f && (!pack(&r->program, f, &size) || size != r->size))
		bytes_free(&r->program);         /* a part of it is none */
	if (f)
		fclose(f);
}

const char *reach_send(struct reach *r, struct peer *p, const char *machine)
{
	static char why[200];
	struct utsname here;
	char line[32];

	uname(&here);
	if (strcmp(here.machine, machine)) {
		snprintf(why, sizeof(why), "it is %.40s, and dtx-run here is of %s: install "
			 "dtx-run %s there", machine, here.machine, dtx_version());
		return why;
	}
	if (!bytes_left(&r->program))
		read_program(r);
	if (!bytes_left(&r->program))
		return "it has no dtx-run, and there is none beside dtx to send";
	bytes_add(&p->put, line, snprintf(line, sizeof(line), "%zu\n", bytes_left(&r->program)));
	bytes_add(&p->put, r->program.data + r->program.at, bytes_left(&r->program));
	p->needs = true;
	return NULL;
}

/* ---- the command ---------------------------------------------------------------------- */

static void make_boot(struct reach *r)
{
	const char *prefix = !strcmp(r->become, "none") ? "" : !strcmp(r->become, "doas")
				     ? "doas -n" : "sudo -n";
	char *one = NULL, *two = NULL;
	struct bytes b = { 0 };

	r->size = program_size();
	if (asprintf(&one, stage_one, prefix, dtx_version()) < 0 ||
	    asprintf(&two, stage_two, r->size, r->size >> 10) < 0)
		abort();
	add_text(&b, "exec sh -c ");
	add_quoted(&b, one);
	add_text(&b, " dtx ");
	add_quoted(&b, two);
	free(one);
	free(two);
	r->boot = b.data;
}

/* %h is the host, %% a percent sign. */
static char *via_command(const char *via, const char *host)
{
	struct bytes b = { 0 };

	for (; *via; via++) {
		if (via[0] == '%' && via[1] == 'h')
			add_quoted(&b, host), via++;
		else if (via[0] == '%' && via[1] == '%')
			add_text(&b, "%"), via++;
		else
			bytes_add(&b, via, 1);
	}
	return b.data;
}

char *reach_command(struct reach *r, const struct peer *p)
{
	struct bytes b = { 0 };

	if (r->via)
		return via_command(r->via, p->name);
	if (!r->boot)
		make_boot(r);
	add_text(&b, SSH);
	if (!p->alone)
		add_text(&b, "-o BatchMode=yes ");
	add_text(&b, "-- ");
	add_quoted(&b, p->name);
	add_text(&b, " ");
	add_quoted(&b, r->boot);
	return b.data;
}

bool reach_may_ask(const struct reach *r, const struct peer *p)
{
	static const char *const asks[] = { "Permission denied", "Host key verification failed" };
	int tty;

	if (r->via || p->alone || p->speaks || p->needs || !bytes_left(&p->told))
		return false;
	for (size_t i = 0; i < sizeof(asks) / sizeof(*asks); i++) {
		if (!memmem(p->told.data, p->told.len, asks[i], strlen(asks[i])))
			continue;
		tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
		if (tty >= 0)
			close(tty);
		return tty >= 0;
	}
	return false;
}

void reach_free(struct reach *r)
{
	bytes_free(&r->program);
	free(r->boot);
}
