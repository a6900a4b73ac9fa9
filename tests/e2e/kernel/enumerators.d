// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Constants of the kernel's enums are the last meaning of a name: a program's own declaration wins.
inline int LISTENING = TCP_LISTEN;
int TCP_CLOSE;

BEGIN
{
	x = TCP_SYN_SENT;
	TCP_CLOSE = 70;
	names[TCP_ESTABLISHED] = "established";
	printf("%d %d %d %d %s %d\n", LISTENING, x, sizeof(x), TCP_CLOSE, names[1], TASK_RUNNING);
	exit(0);
}
