/* SPDX-License-Identifier: BSD-2-Clause */
/* Assigning a translated value sets every member: text in char arrays, strings, structs that are translated in turn. */
#pragma D option quiet
struct inner { int next; };
struct outer { char cut[4]; struct inner in; string text; char name[16]; int number; };
translator struct inner < int N > { next = N + 1; };
translator struct outer < int N > {
	cut = "abcdefgh";
	in = xlate <struct inner>(N);
	text = strjoin("a", "b");
	name = N == 3 ? "three" : "other";
	number = N;
};
struct outer g[int];
BEGIN
{
	this->o = xlate <struct outer>(3);
	printf("%s %d %s %s %d\n", this->o.cut, this->o.in.next, this->o.text, this->o.name, this->o.number);
	g[1] = xlate <struct outer>(4);
	printf("%s %d %s %s %d\n", g[1].cut, g[1].in.next, g[1].text, g[1].name, g[1].number);
	this->p = *curpsinfo;
	self->l = *curlwpsinfo;
	printf("%d %s %d %s\n", this->p.pr_pid == pid, this->p.pr_fname, self->l.pr_lwpid == tid, self->l.pr_name);
	exit(0);
}
