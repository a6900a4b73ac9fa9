/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.7.4
/* The typedefs every program has. */
#pragma D option quiet
BEGIN
{
	printf("%d%d%d%d ", sizeof(int8_t), sizeof(int16_t), sizeof(int32_t), sizeof(int64_t));
	printf("%d%d%d%d ", sizeof(uint8_t), sizeof(uint16_t), sizeof(uint32_t), sizeof(uint64_t));
	printf("%d%d%d%d%d ", sizeof(intptr_t), sizeof(uintptr_t), sizeof(size_t), sizeof(ssize_t), sizeof(ptrdiff_t));
	printf("%d%d%d%d%d ", sizeof(uchar_t), sizeof(ushort_t), sizeof(uint_t), sizeof(ulong_t), sizeof(u_longlong_t));
	printf("%d%d\n", sizeof(id_t), sizeof(pid_t));
	printf("%d %d %d\n", (int8_t)255, (uchar_t)-1, (size_t)-1 > 0);
	exit(0);
}
