/* SPDX-License-Identifier: BSD-2-Clause */
/* whoami.c - what an agent tells of its machine before anything is asked. */
#include <dtx-run.h>

#include <elf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cmd/fleet/agent.h"

int64_t fleet_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

/* A value ends with its line. */
static void line(struct bytes *b, const char *name, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof(text))
		n = sizeof(text) - 1;
	for (int i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ')
			text[i] = ' ';
	bytes_add(b, name, strlen(name));
	bytes_add(b, " ", 1);
	bytes_add(b, text, n > 0 ? n : 0);
	bytes_add(b, "\n", 1);
}

static size_t small_file(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, to, room - 1);

	if (fd >= 0)
		close(fd);
	n = n < 0 ? 0 : n;
	to[n] = '\0';
	to[strcspn(to, "\n")] = '\0';
	return n;
}

/* The build id of the kernel: a note of GNU in /sys/kernel/notes. */
static void build_id(char hex[2 * 64 + 1])
{
	char notes[4096];
	size_t len = small_file("/sys/kernel/notes", notes, sizeof(notes)), at = 0;
	Elf64_Nhdr n;

	hex[0] = '\0';
	while (at + sizeof(n) <= len) {
		memcpy(&n, notes + at, sizeof(n));
		size_t name = at + sizeof(n), body = name + ((n.n_namesz + 3) & ~3ull);

		if (n.n_namesz > len || n.n_descsz > len || body + n.n_descsz > len)
			return;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 && n.n_descsz <= 64 &&
		    !memcmp(notes + name, "GNU", 4)) {
			for (size_t i = 0; i < n.n_descsz; i++)
				sprintf(hex + 2 * i, "%02x", (unsigned char)notes[body + i]);
			return;
		}
		at = body + ((n.n_descsz + 3) & ~3ull);
	}
}

static void keep_text(void *arg, const struct dtx_message *m)
{
	char **text = arg;

	if (!*text && m->text)
		*text = strdup(m->text);
}

/* "yes", or why it may not trace. */
static char *rights(void)
{
	struct dtx *d = dtx_open();
	char *why = NULL;

	dtx_on_message(d, keep_text, &why);
	if (!dtx_rights(d)) {
		free(why);
		why = strdup("yes");
	}
	dtx_close(d);
	return why;
}

void whoami(struct bytes *b, bool collects)
{
	struct utsname u;
	struct timespec t;
	char text[256], hex[2 * 64 + 1], *may = collects ? strdup("yes") : rights();

	uname(&u);
	line(b, "version", "%s", dtx_version());
	line(b, "kernel", "%s", u.release);
	line(b, "machine", "%s", u.machine);
	build_id(hex);
	line(b, "build", "%s", hex);
	small_file("/proc/sys/kernel/random/boot_id", text, sizeof(text));
	line(b, "boot", "%s", text);
	if (collects)
		line(b, "collects", "yes");
	line(b, "rights", "%s", may ? may : "not known");
	clock_gettime(CLOCK_REALTIME, &t);
	line(b, "clock", "%lld", t.tv_sec * 1000ll + t.tv_nsec / 1000000);
	free(may);
}
