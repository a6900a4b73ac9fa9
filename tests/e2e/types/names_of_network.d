// SPDX-License-Identifier: BSD-2-Clause
// Types that scripts from elsewhere use, and the kernel's BTF does not have.
#pragma D option quiet
struct timespec now;
BEGIN
{
	printf("%d %d %d ", sizeof(in_addr_t), sizeof(in_port_t), sizeof(socklen_t));
	printf("%d %d %d %d\n", sizeof(timespec_t), sizeof(struct timespec), sizeof(daddr_t), sizeof(offset_t));
	now.tv_sec = 1; now.tv_nsec = -2;
	printf("%d %d %d %d\n", now.tv_sec, now.tv_nsec, (in_port_t)65536, (offset_t)-1);
	exit(0);
}
