/* SPDX-License-Identifier: BSD-2-Clause */
/* object.h - undefined symbols of an object file (object.c). */
#ifndef CMD_OBJECT_H
#define CMD_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/* Does the object need a symbol that other DTraces make by -G?  Its name, cut to size. */
bool object_wants(const char *path, char *name, size_t size);

#endif
