# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# The BPF library: bitcode, of which the compiler takes what a program uses, by the list of what each file has; and large functions,
# compiled when dtx is built.

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

# In pieces, since to read what a program does not need is a fifth of compiling a small one, and each piece more is dear too: what all
# programs need, what many do, the rest. A piece comes before those that have what it names.
of_all  := $(patsubst %,$(build)/bpf/%.bc,out fault maps)
of_many := $(patsubst %,$(build)/bpf/%.bc,agg mem proc str time var)
pieces  := $(patsubst %,$(build)/bpf/pieces/%.bc,rest many all)
$(build)/bpf/pieces/all.bc: $(of_all)
$(build)/bpf/pieces/many.bc: $(of_many)
$(build)/bpf/pieces/rest.bc: $(filter-out $(precompiled) $(of_all) $(of_many),$(library))
$(build)/bpf/names.txt: bpf/names.awk $(pieces)
	$(Q){ $(foreach f,$(pieces),$(LLVMDIS) $f -o - | awk -v piece=$(notdir $f) -f $< &&) true; } >$@
$(build)/bpf/precompiled.bc: $(precompiled)
$(build)/bpf/precompiled.bc $(pieces):
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(LLVMLINK) $^ -o $@
$(build)/bpf/precompiled.ll: $(build)/bpf/precompiled.bc ; $(Q)$(LLVMDIS) $< -o $@
compiled := -O2 -march=bpf -mcpu=v3 -disable-block-placement
$(build)/bpf/precompiled.s: $(build)/bpf/precompiled.bc ; $(Q)$(LLC) $(compiled) $< -o $@
$(build)/bpf/precompiled.dis: $(build)/bpf/precompiled.bc ; $(Q)$(LLC) $(compiled) -filetype=obj $< -o $@.o && $(subst llc,llvm-objdump,$(LLC)) -d $@.o >$@
$(build)/bpf/precompiled.txt: bpf/precompiled.awk $(addprefix $(build)/bpf/precompiled.,ll dis s) ; $(Q)awk -f $^ >$@

$(build)/bpf/embed.S: $(addprefix $(build)/bpf/,names.txt precompiled.txt) bpf/rules.mk
	$(Q){ $(rodata); $(call embed,dtx_bpf_names,$<); $(call embed,dtx_bpf_precompiled,$(word 2,$^)); } >$@
$(build)/bpf/pieces.S: $(pieces) Makefile ; $(Q)$(call embed_all,dtx_bpf_lib,$(pieces))
