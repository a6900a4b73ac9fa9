// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// The integer typedefs that every program has.
BEGIN { printf("%d%d%d%d %d%d%d%d %d%d%d%d%d %d%d%d%d%d%d\n", sizeof (int8_t), sizeof (int16_t), sizeof (int32_t), sizeof (int64_t), sizeof (uint8_t), sizeof (uint16_t), sizeof (uint32_t), sizeof (uint64_t), sizeof (intptr_t), sizeof (uintptr_t), sizeof (size_t), sizeof (ssize_t), sizeof (ptrdiff_t), sizeof (uchar_t), sizeof (ushort_t), sizeof (uint_t), sizeof (ulong_t), sizeof (u_longlong_t), sizeof (longlong_t)); printf("%d%d\n", sizeof (id_t), sizeof (pid_t)); exit(0); }
