/* SPDX-License-Identifier: BSD-2-Clause */
/* named NAME…: takes one name after the other, and calls getpgid(2) under each. */
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		prctl(PR_SET_NAME, argv[i], 0, 0, 0);
		getpgid(0);
	}
	return 0;
}
