# SPDX-License-Identifier: BSD-2-Clause
#
# The tests and the rules of the tree; a part of the Makefile.

# Written in instructions of x86-64, or about them.
of_x86   := $(if $(filter-out x86_64,$(ARCH)),%/trigger/compat.c %/trigger/vector.c %/unit/test_insn.c)
units    := $(patsubst %.c,$(build)/%,$(filter-out $(of_x86),$(wildcard tests/unit/*.c)))
triggers := $(patsubst %.c,$(build)/%,$(filter-out $(of_x86),$(wildcard tests/trigger/*.c tests/gen/*.c)))

# Of another machine: linked with what packaging/sysroot has unpacked.
ifdef cross
$(sysroot): packaging/sysroot ; $(Q)packaging/sysroot $(ARCH) $@
$(build)/dtx $(build)/dtx-run $(build)/$(so) $(build)/packaging/mkman $(units) $(triggers): | $(sysroot)
endif

# Unit tests use what the libraries hide; some include sources of bpf/, which has rules of its own.
included = -iquote bpf -Wno-shadow -Wno-missing-prototypes
$(build)/tests/all.a: $(compiler) $(runtime)
	$(Q)mkdir -p $(@D); rm -f $@; ar rcsT $@ $^
$(build)/tests/unit/%: tests/unit/%.c $(build)/tests/all.a $(eu)
	$(call say,TEST)
	$(Q)$(CC) $(cflags) $(included) $(ldflags) -Wl,--gc-sections $< $(build)/tests/all.a -o $@ -lcmocka $(libs)
# An architecture's folder, whatever this machine is: its functions are pure, and run here.
arch_of = $(patsubst %_calls,%,$*)
of_arch = $(wildcard base/arch/$(arch_of)/*.c) runtime/unwind/codeflow.c runtime/unwind/flowstate.c runtime/code/cfirun.c runtime/code/cfi.c $(if $(filter aarch64,$*),runtime/code/pclntab.c runtime/unwind/goasm.c)
.SECONDEXPANSION:
$(build)/tests/unit/arch_%: tests/unit/arch_%.c $$(of_arch) $(call objects,$(wildcard base/*.c base/tables/*.c))
	$(call say,TEST)
	$(Q)$(CC) -Ibase/arch/$(arch_of) $(cflags) $(ldflags) $(filter %.c,$^) $(filter %.o,$^) -o $@ -lcmocka -lelf $(if $(cross),-Wl$(comma)--allow-shlib-undefined)
# Compiles for the kernel of a guest (tests/gen/guest).
$(build)/tests/vm/elsewhere: tests/vm/elsewhere.c $(build)/tests/all.a $(eu)
	$(call say,TEST)
	$(Q)$(CC) $(cflags) $(included) $(ldflags) -Wl,--gc-sections $< $(build)/tests/all.a -o $@ $(libs)
# Known programs that tests observe: plain, with frame pointers and symbols.
$(build)/tests/trigger/%: tests/trigger/%.c
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 -O0 -g -Wall $(sysroot:%=-idirafter %/usr/include/$(ARCH)-linux-gnu) -fno-omit-frame-pointer -fno-optimize-sibling-calls -D_GNU_SOURCE $< -o $@ -lpthread

triggers: all $(triggers)
testable: all $(units) $(triggers) $(build)/man/made $(if $(SAN)$(COV),,$(build)/dtx-run-static)
check: $(if $(SAN),,$(if $(fuzzable),$(fuzzers)))
check accept check-kernel: testable
	@DTX=$(build)/dtx $(if $(K),DTX_KERNELS="$(K)") tests/run $(addprefix --,$(filter accept,$@)$(patsubst check-kernel,guests,$(filter check-kernel,$@))) $(T)
# All tests in guests of arm64, whose machine is emulated (K=6.12-arm64: one of them): hours. make deps ARCH=arm64 first.
check-arm64:
	@$(MAKE) --no-print-directory ARCH=arm64 testable
	@DTX=build/aarch64/dtx DTX_KERNELS="$(or $(K),6.1-arm64 6.12-arm64)" tests/run $(T)
# An image for arm64 that is made here: one boot of a guest.
check-arm64-there: all
	@$(MAKE) --no-print-directory ARCH=arm64 build/aarch64/dtx-run-static
	@$(MAKE) --no-print-directory FOR=arm64 build/for/aarch64/dtx
	@tests/vm/there $(K)
# The package, installed in a guest by dpkg.
check-arm64-deb:
	@$(MAKE) --no-print-directory ARCH=arm64 deb >/dev/null
	@tests/vm/installed $(K)
# The few of tests/vm/few: minutes.
check-arm64-few:
	@$(MAKE) --no-print-directory check-arm64 T="$(shell sed 's/ *#.*//' tests/vm/few)"
# Some of these on one kernel, with what they need and nothing else: .ci/run.
check-arm64-ci:
	@$(MAKE) --no-print-directory ARCH=arm64 triggers
	@DTX=build/aarch64/dtx DTX_KERNELS=6.12-arm64 tests/run $(shell sed -n 's/ *# ci$$//p' tests/vm/few)
# dtx-run of riscv64, in QEMU's user emulation (gcc-riscv64-linux-gnu, qemu-user).
check-riscv64: testable
	@$(MAKE) --no-print-directory ARCH=riscv64 build/riscv64/dtx-run
	@DTX=$(build)/dtx DTX_KERNELS= tests/run robust/riscv64.sh
check-debian:
	@$(if $(filter command%,$(origin CC)),CC=$(CC)) tests/debian $(or $(D),13) $(T)
lint: all
	@tests/lint && tests/layers $(build) && tests/house --check $(build)
# What a change costs: objects that a row of a table makes again, readers of headers, sizes of folders.
house: all
	@tests/house $(build)
# The page of what holds, with the test of each row.
conformance:
	@tests/conformance >docs/conformance.md.new && mv docs/conformance.md.new docs/conformance.md
# The tables of docs/trust.md: answers beside their witness, attacks and what holds (K="native 6.1": run there).
truth: testable
	@DTX=$(build)/dtx tests/truth $(or $(K),native)
# What the verifier does for each program, beside tests/verify.cost (K="6.1 7.2": in guests, too).
verify-cost: all
	@DTX=$(build)/dtx VERIFY_KERNELS="$(K)" tests/verify-cost $(T)
# What the native tests reach of the code: a figure for each folder, and the functions that none of them calls.
coverage:
	@$(MAKE) -s COV=1 testable
	@find build/cov -name '*.gcda' -delete
	@GCOV_ERROR_FILE=/dev/null DTX=build/cov/dtx DTX_KERNELS= tests/run $(T) || echo 'coverage: some tests failed'
	@tests/coverage build/cov
# What gcc's analyzer and cppcheck find; nothing is what they are to find.
analyze: $(grammar)
	@tests/analyze $(CC) $(cflags)
# The pictures of the README, from real runs.
screenshots: all
	@DTX=$(build)/dtx tests/screenshots
# For editors and language servers.
compile_commands.json: .FORCE
	@{ echo '['; sep=; for f in $(wildcard base/*.c base/tables/*.c base/arch/$(ARCH)/*.c cmd/*.c) $(call deep,compiler,c) \
		$(call deep,runtime,c); do echo "$$sep{\"directory\": \"$(CURDIR)\", \"file\": \"$$f\", \"command\": \"$(CC) $(cflags) -c $$f\"}"; \
		sep=,; done; echo ']'; } >$@
.PHONY: screenshots triggers testable check check-kernel check-arm64 check-arm64-few check-arm64-ci check-arm64-there check-arm64-deb check-riscv64 check-debian accept lint house conformance truth verify-cost coverage analyze
