/* SPDX-License-Identifier: BSD-2-Clause */
/* types.h - types of the kernel, and formats of its events. */
#ifndef DTX_TYPES_H
#define DTX_TYPES_H

#include <dtx/base.h>
#include <dtx/type.h>

struct dtx_env;

/*
 * types/btf.c: kernel BTF as a type source, read and indexed on first use.  There is one
 * per environment: further calls of btf_src_open() return it.  Types live in
 * env->arena, not in the arena of the call, and are shared between calls.
 */
struct btf_src;
struct btf_src *btf_src_open(struct dtx_env *);          /* NULL: no BTF here */
void btf_src_free(struct btf_src *);                     /* symtabs_free() does it too */
struct type_source *btf_src_types(struct btf_src *);
/* -x btf: is it BTF, and of no other kernel?  0, or -EINVAL with a failure. */
int btf_check_file(struct dtx_env *);
void btf_note_modules(struct btf_src *);          /* while a machine is described */
void btf_src_outdated(struct btf_src *);         /* a module was loaded; NULL is fine */
bool btf_src_used_modules(const struct btf_src *);       /* was anything found in a module? */
/* Id of a FUNC, 0 if unknown; module ("vmlinux") and obj_id (0: vmlinux) may be NULL. */
u32 btf_func_id(struct btf_src *, const char *name, const char **module, u32 *obj_id);
u32 btf_vmlinux_func(struct btf_src *, const char *name); /* in vmlinux; 0: not found */
/* Id of the typedef btf_trace_NAME, 0 if unknown.  proto (may be NULL): the arguments
 * without the leading void *__data, so that parameter i is context slot i. */
u32 btf_rawtp_id(struct btf_src *, const char *name, struct type **proto, struct arena *);
/* A type of this name (T_STRUCT, T_UNION, T_ENUM, T_TYPEDEF) that the module of the event has for
 * itself; NULL: none, or the event is of vmlinux. */
struct type *btf_event_type(struct btf_src *, const char *event, enum type_kind, const char *name);
/* types/btfcheck.c: are all numbers in these bytes of BTF valid?  NULL, or what is wrong (a
 * static text). */
const char *btf_check(const void *data, size_t len);
int btf_each_func(struct btf_src *, int (*fn)(void *arg, const char *name, u32 id), void *arg);

/* types/tracefs.c: event formats. */
struct tp_field {
	const char *name, *ctype;
	u32 off, size;
	bool is_signed, is_dataloc;
	bool is_relloc;          /* is_dataloc, counted from the end of the field */
	struct type *names;      /* T_ENUM: how the kernel prints the values, or NULL */
};
struct tp_event { const char *group, *name; u32 id; struct tp_field *fields; u32 nfields; };
const char *tracefs_path(struct dtx_env *);              /* NULL: not mounted */
struct tp_event *tracefs_event(struct dtx_env *, const char *group, const char *name);
/* Reads one line of a format; false: it describes no field.  Names in the arena. */
bool tracefs_field(struct arena *, const char *line, struct tp_field *);
void tracefs_outdated(struct dtx_env *);         /* a module was loaded */
int tracefs_each(struct dtx_env *, const char *group_glob, const char *event_glob,
		 int (*fn)(void *arg, const char *group, const char *event), void *arg);
/* The place of an event made by hand (perf probe, tracefs): "/bin/x:0x1129", "vfs_read"; NULL:
 * an event of the kernel, or a synthetic one.  In the arena. */
const char *tracefs_dynamic(struct dtx_env *, const char *group, const char *name);

#endif
