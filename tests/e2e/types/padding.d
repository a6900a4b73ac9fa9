// SPDX-License-Identifier: BSD-2-Clause
// Names used as keys, at every size that is not a multiple of a word: what follows their end is zero.
// run: -q -x strsize=12
int seen[string], pairs[int, string];
self string own;

BEGIN
{
	seen[cwd]++;
	seen[cwd]++;
	seen[probename]++;
	pairs[1, root] = 7;
	self->own = probename;
	@[probename, 1] = count();
	printf("%d %d %d %s\n", seen[cwd], seen["BEGIN"], pairs[1, root], self->own);
	exit(0);
}
