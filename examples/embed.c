/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * embed.c - D inside a program of your own: which files does a command open, and how much does it
 * read?  What the D program records comes as data; the library prints nothing.
 *
 *     cc embed.c -o embed $(pkg-config --cflags --libs libdtx)
 *     ./embed 'cat /etc/hostname'
 */
#include <dtx.h>
#include <stdlib.h>
#include <string.h>

static const char program[] =
	"syscall::openat:entry /pid == $target/ { self->path = arg1; }"
	"syscall::openat:return /self->path/"
	"{ printf(\"%s %d\", copyinstr(self->path), errno); self->path = 0; }"
	"syscall::read:return /pid == $target && arg0 > 0/"
	"{ @bytes[execname] = sum(arg0); @sizes = quantize(arg0); }";

static void on_message(void *arg, const struct dtx_message *m)
{
	char *text = dtx_message_text(m, false);

	if (m->severity <= DTX_WARNING)
		fputs(text, stderr);
	free(text);
}

/* A record has the values that printf() was given.  A row has its keys, and a number or buckets. */
static void on_data(void *arg, const struct dtx_data *d)
{
	int *opened = arg;

	if (d->kind == DTX_RECORD && !d->values[1].number) {
		++*opened;
		printf("opened %s\n", d->values[0].text);
	} else if (d->kind == DTX_ROW && d->nvalues) {
		printf("%s read %lld bytes\n", d->values[0].text, (long long)d->number);
	}
	for (unsigned i = 0; i < d->nbuckets; i++)
		printf("%lld reads of %lld to %lld bytes\n", (long long)d->buckets[i].count,
		       (long long)d->buckets[i].low, (long long)d->buckets[i].high);
}

int main(int argc, char **argv)
{
	struct dtx *d = argc == 2 ? dtx_open() : NULL;
	int opened = 0;

	if (!d)
		return 2;
	dtx_on_message(d, on_message, NULL);
	dtx_on_data(d, on_data, &opened);
	int err = dtx_target_run(d, argv[1]) ||
		  dtx_program_add(d, DTX_PROG_NAME, "-n", program, strlen(program)) ||
		  dtx_compile(d) || dtx_start(d, NULL) || dtx_run(d);
	dtx_close(d);
	printf("%d files opened\n", opened);
	return err;
}
