/* SPDX-License-Identifier: BSD-2-Clause */
/* needs: btf */
/* Pointers that the verifier follows are numbers where the program computes with them. */
#pragma D option quiet
int g;
BEGIN
{
	this->p = (int64_t)curthread->real_parent;
	printf("%d", ((int64_t)curthread->real_parent | g) == this->p);
	printf("%d", ((int64_t)curthread->real_parent >> (g & 7)) == this->p);
	printf("%d", (uint64_t)curthread->real_parent % 8 == 0);
	printf("%d", curthread->real_parent - (struct task_struct *)this->p);
	printf("%d", -(-(int64_t)curthread->real_parent) == this->p);
	@ = sum((int64_t)curthread->real_parent * 0);
	printf("%d\n", curthread->real_parent + 1 == (struct task_struct *)this->p + 1);
	exit(0);
}
