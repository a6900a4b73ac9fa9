/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lsp_text.c - places in a text as editors count them, and the files of definitions.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/lsp/lsp.h"

/* Bytes of the character at p, and its units of UTF-16. */
static size_t char_len(const char *p, int *units)
{
	unsigned char c = *p;
	size_t n = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4, i = 1;

	while (i < n && ((unsigned char)p[i] & 0xc0) == 0x80)
		i++;
	*units = i == 4 ? 2 : 1;
	return i;
}

size_t lsp_offset(const char *text, long line, long character)
{
	const char *p = text;
	int units;

	for (; line > 0; line--) {
		const char *nl = strchr(p, '\n');
		if (!nl)
			return strlen(text);
		p = nl + 1;
	}
	while (character > 0 && *p && *p != '\n') {
		p += char_len(p, &units);
		character -= units;
	}
	return p - text;
}

void lsp_position(const char *text, size_t at, long *line, long *character)
{
	int units;

	*line = *character = 0;
	for (const char *p = text; *p && p < text + at;) {
		size_t n = char_len(p, &units);

		*character += units;
		if (*p == '\n') {
			++*line;
			*character = 0;
		}
		p += n;
	}
}

bool lsp_is_name(const char *s)
{
	return s && *s && !strchr("0123456789", *s) &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
		       strlen(s);
}

/* ---- the definitions that an editor opens ------------------------------------------------ */

#define NAME_MOST 100            /* bytes of a file's name; the system takes 255 */

/* FOLDER/NAME.h.  The name may be one of a traced program: it could lead to another folder. */
static char *definition_path(const char *folder, const char *name, size_t len)
{
	int most = len < NAME_MOST ? (int)len : NAME_MOST;
	char *path = NULL;

	if (asprintf(&path, "%s/%.*s.h", folder, most, name) < 0)
		return NULL;
	for (char *c = path + strlen(folder) + 1; c[2]; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	return path;
}

static bool write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	bool fine = f && fputs(text, f) >= 0;

	if (f)
		fine &= !fclose(f);
	return fine;
}

static char *new_folder(void)
{
	const char *base = getenv("XDG_RUNTIME_DIR");
	char *folder = NULL;

	if (asprintf(&folder, "%s/dtx-lsp-XXXXXX", base ? base : "/tmp") < 0)
		return NULL;
	if (mkdtemp(folder))
		return folder;
	free(folder);
	return NULL;
}

char *lsp_definition(char **folder, const char *definition)
{
	const char *brace = strstr(definition, " {"), *name = brace;
	char *path;

	if (!*folder)
		*folder = new_folder();
	while (name && name > definition && name[-1] != ' ')
		name--;
	path = *folder && name ? definition_path(*folder, name, brace - name) : NULL;
	if (!path || write_file(path, definition))
		return path;
	free(path);
	return NULL;
}
