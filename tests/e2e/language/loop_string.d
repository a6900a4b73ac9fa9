// SPDX-License-Identifier: BSD-2-Clause
// where: both
// needs: loop
// A string is searched byte by byte, another one built in each turn.
#pragma D option quiet
BEGIN
{
	this->s = "one two three";
	this->n = 0;
	for (this->i = 0; this->i < strlen(this->s); this->i++)
		if (this->s[this->i] == ' ') this->n++;
	for (this->i = 0; this->i < 20; this->i++) {
		this->k = strjoin("k", lltostr(this->i));
		seen[this->k] = this->i;
	}
	printf("%d %d\n", this->n, seen["k17"]);
	exit(0);
}
