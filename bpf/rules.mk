# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# The BPF library: bitcode, of which the compiler takes what a program uses; and large functions, compiled when dtx is built.

# The folder of the kernel's asm/: clang knows it for the machine's own code only.
kernel_include = $(shell $(CC) -M -E -include asm/types.h -x c /dev/null | tr ' ' '\n' | sed -n 's,/asm/types.h$$,,p')
$(build)/bpf/%.bc: bpf/%.bpf.c | $(build)/ready
	$(call say,BPF)
	$(Q)$(CLANG) -target bpf -mcpu=v3 -std=gnu11 -O2 -g0 -Wall -Wno-unused-function -Iinclude -Ibpf -Ibase/arch/$(ARCH) \
		-idirafter $(kernel_include) -MMD -MP -emit-llvm -c $< -o $@

# What is compiled now, because LLVM needs long for it (the walk along stacks: 0.1 s): bpf/stack/ and bpf/text/.
# Why: docs/decisions/42-precompiled.md. What the compiler does with it: compiler/emit/target/precompiled.c.
# The order of blocks is kept for kernels before 6.7: see link_keep_order().
precompiled := $(patsubst %,$(build)/bpf/%.bc,$(addprefix text/,strfn strfn_make strfn_num json path) \
               $(addprefix stack/,walk made unwind jvm jit vma object python))
$(build)/bpf/lib.bc: $(filter-out $(precompiled),$(library))
$(build)/bpf/precompiled.bc: $(precompiled)
$(build)/bpf/lib.bc $(build)/bpf/precompiled.bc:
	$(call say,LINK)
	$(Q)$(LLVMLINK) $^ -o $@
$(build)/bpf/precompiled.ll: $(build)/bpf/precompiled.bc ; $(Q)$(LLVMDIS) $< -o $@
$(build)/bpf/precompiled.s: $(build)/bpf/precompiled.bc ; $(Q)$(LLC) -O2 -march=bpf -mcpu=v3 -disable-block-placement $< -o $@
$(build)/bpf/precompiled.txt: bpf/precompiled.awk $(build)/bpf/precompiled.ll $(build)/bpf/precompiled.s ; $(Q)awk -f $^ >$@

$(build)/bpf/embed.S: $(addprefix $(build)/bpf/,lib.bc precompiled.txt) bpf/rules.mk
	$(Q){ $(rodata); $(call embed,dtx_bpf_lib,$<); $(call embed,dtx_bpf_precompiled,$(word 2,$^)); } >$@
