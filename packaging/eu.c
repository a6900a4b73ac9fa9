// SPDX-License-Identifier: BSD-2-Clause
/*
 * What elfutils 0.192 forgot to put into its static libraries.
 *
 * libelf.a and libdw.a of 0.192 (Debian 13) call functions of elfutils' private library libeu,
 * which no package contains; from 0.193 on they are in libelf.a. They are tsearch(3) on a tree
 * whose root is the first member. elfutils locks the tree only where it was configured for
 * threads, which Debian's is not; nor does dtx use one of its handles in two threads at once.
 *
 * The archive of this file is the last of the link: the linker takes from it what is undefined
 * still, and nothing where elfutils has its own.
 */
#include <search.h>
#include <stddef.h>

typedef int compare_fn(const void *, const void *);

void *eu_tsearch(const void *key, void **root, compare_fn *compare);
void *eu_tfind(const void *key, void **root, compare_fn *compare);
void *eu_tdelete(const void *key, void **root, compare_fn *compare);
void eu_tdestroy(void **root, void (*release)(void *));
void eu_search_tree_init(void **root);
void eu_search_tree_fini(void **root, void (*release)(void *));

void *eu_tsearch(const void *key, void **root, compare_fn *compare)
{
	return tsearch(key, root, compare);
}

void *eu_tfind(const void *key, void **root, compare_fn *compare)
{
	return tfind(key, root, compare);
}

void *eu_tdelete(const void *key, void **root, compare_fn *compare)
{
	return tdelete(key, root, compare);
}

void eu_tdestroy(void **root, void (*release)(void *))
{
	tdestroy(*root, release);
	*root = NULL;
}

void eu_search_tree_init(void **root)
{
	*root = NULL;
}

void eu_search_tree_fini(void **root, void (*release)(void *))
{
	eu_tdestroy(root, release);
}
