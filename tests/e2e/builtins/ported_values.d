// SPDX-License-Identifier: BSD-2-Clause
// row: builtins.__ntop4
// Functions and variables of bpftrace that D says with others.
#pragma D option quiet
string names[int];
BEGIN
{
	printf("%s %s %d\n", probe, probetype, usermode);
	printf("%d %d ", nsecs(monotonic) == timestamp, nsecs(tai) <= walltimestamp);
	printf("%d %d %d\n", nsecs(boot) > 0, nsecs() == timestamp, elapsed() < 60s);
	printf("%d %d %d\n", pid(curr_ns) == pid, pid(init) == curthread->tgid, tid(init) == curthread->pid);
	printf("%x %x %x %x\n", bswap((uint8_t)0x12), bswap((uint16_t)0x1234), bswap(0x12345678), bswap((uint64_t)0x12));
	printf("%s %s %s\n", ntop(0x100007f), ntop(AF_INET, pton("10.1.2.3")), ntop(2, pton("0.0.0.0")));
	printf("%d %d %d\n", len("four"), len(kstack) == stackdepth, len(ustack) == ustackdepth);
	printf("%d %d %d %d\n", memcmp("abc", "abd", 2), memcmp("abc", "abd", 3), memcmp("b", "a", 1), memcmp("", "", 0));
	printf("%d %d\n", memcmp(curtask->comm, "dtx", 4), memcmp(curthread, curthread, 200));
	printf("%d %d\n", kptr(curtask) == curthread, kaddr("vfs_read") == (uint64_t *)&`vfs_read);
	printf("%d %d %d\n", true, false, 3 ?: 7);
	printf("%d %d %d\n", (int8)300, (uint16)-1, sizeof (uint64));
	printf("%d\n", 0 ?: 7);
}
BEGIN
{
	x[1, "a"] = 7;
	printf("%d %d ", has_key(x, (1, "a")), has_key(x, (1, "b")));
	delete(x, (1, "a"));
	printf("%d\n", has_key(x, (1, "a")));
	y[3] = 4;
	delete(y[3]);
	names[4] = "four";
	printf("%d %d ", y[3], has_key(names, 4));
	delete(names, 4);
	self->z = 8;
	delete(self->z);
	printf("%d %d\n", has_key(names, 4), self->z);
	exit(0);
}
