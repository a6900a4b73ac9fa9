/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx_image.c - the part of the public interface (dtx-run.h) that reads files of --image.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <dtx/env.h>

#include "runtime/dtx_run.h"
#include "runtime/image/image.h"

void dtx_image_trust(struct dtx *d, const char *signers)
{
	d->signers = arena_strdup(d->env.arena, signers);
}

/* Only regular files are read: what comes from a pipe can be read once. */
struct dtx_script *dtx_script_read(const char *path)
{
	struct dtx_script *script = NULL;
	const char *text;
	char *bytes = NULL;
	struct stat st;
	size_t len;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || file_read_named(path, &bytes, &len))
		return NULL;
	if (len < 4 || memcmp(bytes, "\177ELF", 4)) {
		script = dtx_script_text(bytes, len);
	} else if (img_script(bytes, len, &text, &len)) {
		script = dtx_script_text(text, len);
		script->is_image = script->is_tool = true;
	}
	free(bytes);
	return script;
}

static int image_take(struct dtx *d, const char *path)
{
	const char *why;

	free(d->bytes);
	d->bytes = NULL;
	d->img = img_of_file(&d->env, path, d->signers, &d->bytes);
	if (!d->img)
		return -EINVAL;
	why = img_misfit(&d->env, d->img);
	if (why)
		return dtx_env_fail(&d->env, -ESTALE, "%s", why);
	int err = d->signers ? img_trust_options(&d->env, d->img) : 0;
	err = err ? err : img_apply_options(&d->env, d->img);
	return err ? err : filter_check(&d->env, false);
}

int dtx_image_open(struct dtx *d, const char *path)
{
	int err = handle_check_targets(d);

	if (!err)
		err = dtx_only_here(d, "images run on this machine");
	return dtx_told(d, err ? err : image_take(d, path));
}

int dtx_image_inspect(struct dtx *d, const char *path, FILE *out)
{
	char *bytes = NULL;
	int err = dtx_only_here(d, "--inspect says whether an image can run on this machine");
	struct img *img = err ? NULL : img_of_file(&d->env, path, d->signers, &bytes);
	struct buf text = { 0 };

	if (img)
		img_show(&d->env, img, &text);
	if (text.len)
		fwrite(text.data, 1, text.len, out);
	buf_free(&text);
	free(bytes);
	return dtx_told(d, !img ? -EINVAL : ferror(out) ? -EIO : 0);
}
