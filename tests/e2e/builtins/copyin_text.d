// SPDX-License-Identifier: BSD-2-Clause
// truth: copyin(), text without an end | stringof() ends where the copied bytes end | what was stored around them
// What copyin() read ends as a text where its bytes end: languages with a length beside their texts have no NUL.
#pragma D option quiet
BEGIN
{
	this->text = (char *)copyin(curthread->mm->arg_start, 8);
	this->next = (char *)alloca(9);
	bcopy("textwith", this->text, 8);
	bcopy("anything", this->next, 9);
	printf("%s %s\n", stringof(this->text), stringof(this->next));
	exit(0);
}
