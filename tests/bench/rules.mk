# SPDX-License-Identifier: BSD-2-Clause
#
# What the measurements need beside dtx (tests/bench/run); a part of the Makefile.

bench_made := $(addprefix $(build)/tests/bench/,load many hand hand.bpf.o newer.bpf.o)

$(addprefix $(build)/tests/bench/,load many): $(build)/tests/bench/%: tests/bench/%.c
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 -O2 -g -Wall -D_GNU_SOURCE $(sysroot:%=-idirafter %/usr/include) $< -o $@
$(build)/tests/bench/hand: tests/bench/hand.c $(eu)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 -O2 -g -Wall -D_GNU_SOURCE $(if $(cross),-idirafter /usr/include) $(ldflags) $< -o $@ $(call static,-lbpf -lelf -lz -lzstd)
$(build)/tests/bench/%.bpf.o: tests/bench/%.bpf.c
	$(call say,BPF)
	$(Q)$(CLANG) -target bpf -mcpu=v3 -std=gnu11 -O2 -g -Wall -DBENCH_$(ARCH) -idirafter $(kernel_include) -c $< -o $@
