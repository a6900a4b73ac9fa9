// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// An aggregation in the branch that a constant chooses is a statement of its own; the other is never looked at.
inline int OPT_counts = 1;
inline int OPT_sums = 0;

BEGIN
{
	OPT_counts == 1 ? @counts[probename, 7] = count() : 1;
	OPT_sums ? @counts["another signature"] = sum(1) : 1;
	OPT_sums ? 1 : (@sums = sum(5));
	if (pid > 0) {
		OPT_counts ? @inner = max(3) : 1;
	}
	exit(0);
}

END
{
	printa("%s %d %@d\n", @counts);
	printa("%@d ", @sums);
	printa("%@d\n", @inner);
}
