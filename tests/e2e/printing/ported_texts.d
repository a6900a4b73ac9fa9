// SPDX-License-Identifier: BSD-2-Clause
// row: builtins.__strftime
// Numbers whose text the consumer knows, as values, keys and variables; bytes by %r.
#pragma D option quiet
BEGIN
{
	printf("%s|%s|%s\n", strerror(2), strerror(-13), strerror(0));
	printf("%s %s %s %s\n", signal_name(9), signal_name(77), syscall_name(39), syscall_name(9999));
	printf("%s %s [%10s]\n", username(0), username(4000000), username(0));
}
BEGIN
{
	this->e = strerror(1);
	printf("%s\n", this->e);
	printf("%s|%s\n", strftime("%s", 1600000000123456789), strftime("%s.%f %%f", 1600000000123456789));
	@[strerror(2), signal_name(2)] = count();
	@[strerror(2), signal_name(2)] = count();
	printa("%s %s %@d\n", @);
	printf("%s\n", sym((uintptr_t)&`vfs_read));
	time("a\n%%\tb\n\n");
	trace(syscall_name(1));
	printf("\n");
}
BEGIN
{
	printf("%r|%rx|%rh|%6r|%-4r|\n", buf("a\nb", 3), buf("ab", 2), buf("abc", 2), buf("abc", 3), buf("a", 1));
	printf("%r|%r|%rh\n", buf(curthread->comm, 4), buf(curthread->comm, execname == "dtx" ? 3 : 1), buf(curthread->comm));
	printf("%s %s %s\n", str("abc"), str("abc", 2), str(curthread->comm, 2));
	cat("/proc/sys/kernel/%s", "ostype");
	exit(0);
}
