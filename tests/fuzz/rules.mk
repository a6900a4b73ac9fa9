# SPDX-License-Identifier: BSD-2-Clause
#
# Random programs (tests/gen) and fuzzers; a part of the Makefile.
#
# make fuzz       the fuzzers, FUZZ_TIME=600 seconds each, or FUZZ_ONLY=image alone
#
# What a fuzzer defines itself stands in place of the library's (muldefs).

$(build)/tests/gen/%: tests/gen/%.c $(wildcard tests/gen/*.h)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 -O2 -g -Wall -Wextra -D_GNU_SOURCE $< -o $@

# The fuzzers: the sources without the code generator and the command, compiled by clang for libFuzzer.
fuzzers   := $(patsubst %.c,$(build)/%,$(wildcard tests/fuzz/*.c))
fuzzable  := $(wildcard $(shell $(CLANG) --print-resource-dir 2>/dev/null)/lib/linux/libclang_rt.fuzzer-*.a)
fuzz_srcs := $(filter-out compiler/emit/%,$(wildcard base/*.c base/tables/*.c) $(call deep,compiler,c)) $(grammar:$(build)/%=%) \
             $(call deep,runtime,c) $(wildcard base/arch/$(ARCH)/*.c)
fuzz_san   = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
fuzz_cc    = $(CLANG) -std=gnu11 -O1 -g -D_GNU_SOURCE $(fuzz_san) -MMD -MP -Iinclude -I. -Ibase/arch/$(ARCH) -I$(build) \
             -I$(build)/grammar

$(build)/fuzz/%.o: %.c | $(grammar) $(protos)
	$(call say,FUZZ)
	$(Q)$(fuzz_cc) -fsanitize=fuzzer-no-link -c $< -o $@
$(build)/fuzz/%.o: $(build)/%.c | $(grammar) $(protos)
	$(call say,FUZZ)
	$(Q)$(fuzz_cc) -fsanitize=fuzzer-no-link -c $< -o $@
$(build)/fuzz/lib.a: $(fuzz_srcs:%.c=$(build)/fuzz/%.o) $(build)/compiler/embed.o $(embedded:%=$(build)/%.o) $(protos:.c=.o)
	$(Q)rm -f $@; ar rcs $@ $^
$(build)/tests/fuzz/%: tests/fuzz/%.c $(build)/fuzz/lib.a $(eu)
	$(call say,FUZZ)
	$(Q)$(fuzz_cc) -fsanitize=fuzzer $< $(build)/fuzz/lib.a -o $@ $(call static,$(rt_names)) -lm -Wl,-z,muldefs

fuzz: $(fuzzers)
	@FUZZ_TIME=$(or $(FUZZ_TIME),600) FUZZ=$(build)/tests/fuzz tests/fuzz/run
.PHONY: fuzz
