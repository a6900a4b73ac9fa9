/* SPDX-License-Identifier: BSD-2-Clause */
// row: names.signal names.errno names.net names.lockstat names.misc names.io
/* Constants of the libraries. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", SIGHUP, SIGINT, SIGKILL, SIGTERM);
	printf("%d %d %d %d\n", EPERM, ENOENT, EINTR, EINVAL);
	printf("%d %d %d %d\n", AF_INET, AF_INET6, IPPROTO_TCP, IPPROTO_UDP);
	printf("%d %d %d %d\n", TH_FIN, TH_SYN, TH_RST, TH_ACK);
	printf("%d %d %d %d\n", O_RDONLY, O_WRONLY, O_RDWR, O_ACCMODE);
	printf("%d %d %d\n", RW_WRITER, RW_READER, NULL);
	printf("%d %d\n", sizeof(NULL), CLD_EXITED);
	exit(0);
}
