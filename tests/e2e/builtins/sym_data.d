// SPDX-License-Identifier: BSD-2-Clause
// sym(), %a and symbol keys name variables of the kernel, too.
// needs: kprobes
#pragma D option quiet
BEGIN
{
	printf("%a %a\n", (uintptr_t)&`max_pfn, (uintptr_t)&`max_pfn + 2);
	sym((uintptr_t)&`max_pfn);
	@[sym((uintptr_t)&`max_pfn)] = count();
	exit(0);
}
