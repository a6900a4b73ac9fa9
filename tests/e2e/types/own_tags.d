// SPDX-License-Identifier: BSD-2-Clause
// D`tag and C`tag are types of the program, vmlinux`tag those of the kernel.
// needs: btf
#pragma D option quiet
struct list_head { char c[3]; }; union un { int a; char b; }; typedef short number_word; enum en { EN_A, EN_B };
BEGIN
{
	printf("%d %d %d %d\n", sizeof(struct D`list_head), sizeof(union D`un), sizeof(D`number_word), sizeof(enum D`en));
	printf("%d %d %d\n", sizeof(struct vmlinux`list_head), sizeof(struct list_head), sizeof(struct C`list_head));
	this->p = (struct D`list_head *)alloca(3); this->p->c[1] = 'x';
	printf("%c\n", this->p->c[1]);
	exit(0);
}
