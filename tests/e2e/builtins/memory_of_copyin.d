// SPDX-License-Identifier: BSD-2-Clause
// What copyin() read is there in the later clauses of the firing, in predicates too.
#pragma D option quiet
BEGIN { this->b = (char *)copyin(curthread->mm->arg_start, 4); }
BEGIN /this->b[0] != 0/ { this->c = (char *)copyin(curthread->mm->arg_start, 250); this->c[0] = 'X'; }
BEGIN { this->t = copyinstr(curthread->mm->arg_start); printf("%d %d %c\n", this->b[0] == this->t[0], this->b[1] == this->t[1], this->c[0]); }
BEGIN { exit(0); }
