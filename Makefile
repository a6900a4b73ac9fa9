# SPDX-License-Identifier: BSD-2-Clause
#
# make            build/dtx and its libraries        make check    all tests (check-kernel K=5.10: a guest's)
# make deps       install what is missing (apt)      make accept T=e2e/TOPIC/x.d   rewrite a golden
# make demo       the main job on live traffic       make lint     rules of the source tree
# make install    PREFIX, DESTDIR                    make bench    measurements
#
# V=1 shows the commands, SAN=1 builds with sanitizers in build/san, VALGRIND=1 checks under valgrind, LLVM=shared links what the
# distribution has as shared libraries. Sources are found by folder; nothing is listed here.

build   := build$(if $(SAN),/san)
PREFIX  ?= /usr/local
CC       = gcc
CLANG    = clang-19
LLVMLINK = llvm-link-19
LLVMCONF = llvm-config-19

Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-6s %s\n' $(1) $(patsubst $(build)/%,%,$@);) mkdir -p $(@D)
MAKEFLAGS += -r $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))
.DELETE_ON_ERROR:
.SECONDARY:

# --- what there is -----------------------------------------------------------------------------

objects  = $(patsubst %.c,$(build)/%.o,$(1))
grammar  := $(patsubst grammar/%.y,$(build)/grammar/%.tab.c,$(wildcard grammar/*.y)) \
            $(patsubst grammar/%.l,$(build)/grammar/%.lex.c,$(wildcard grammar/*.l))
library  := $(patsubst %.bpf.c,$(build)/%.bc,$(wildcard bpf/*.bpf.c))
base     := $(call objects,$(wildcard base/*.c))
compiler := $(call objects,$(wildcard compiler/*.c compiler/*/*.c)) $(grammar:.c=.o) $(build)/bpf/embed.o $(build)/compiler/embed.o
runtime  := $(base) $(call objects,$(wildcard runtime/*.c runtime/*/*.c)) \
            $(patsubst %.html,$(build)/%.html.o,$(wildcard runtime/*/*.html))
command  := $(call objects,$(wildcard cmd/*.c))

all: $(build)/dtx $(build)/libdtx.a $(build)/libdtxrt.a

# --- C -----------------------------------------------------------------------------------------

CFLAGS ?= -O2 -g
asan    = $(if $(SAN),-fsanitize=address -fsanitize=undefined -fno-omit-frame-pointer)
llvm_include := $(shell $(LLVMCONF) --includedir 2>/dev/null)
cflags  = -std=gnu11 $(CFLAGS) -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter -D_GNU_SOURCE $(asan) -MMD -MP \
          -Iinclude -I. -I$(build) -I$(build)/grammar $(addprefix -isystem ,$(llvm_include))

# Other flags than last time make everything again.
$(build)/flags: .FORCE
	@mkdir -p $(@D); echo '$(CC) $(cflags)' | cmp -s - $@ || echo '$(CC) $(cflags)' >$@

$(build)/%.o: %.c $(build)/flags | $(grammar) $(build)/ready
	$(call say,CC)
	$(Q)$(CC) $(cflags) -c $< -o $@

$(build)/%.o: $(build)/%.c $(build)/flags | $(grammar)
	$(call say,CC)
	$(Q)$(CC) $(cflags) -Wno-unused-function -Wno-sign-compare -c $< -o $@

$(build)/%.o: $(build)/%.S
	$(Q)$(CC) -c $< -o $@

# --- the grammar, the BPF library, the D library -----------------------------------------------

$(build)/%.tab.c $(build)/%.tab.h &: %.y | $(build)/ready
	$(call say,BISON)
	$(Q)bison -Wall -Werror=conflicts-sr -Werror=conflicts-rr -d -o $(build)/$*.tab.c $<

$(build)/%.lex.c $(build)/%.lex.h &: %.l | $(build)/ready
	$(call say,FLEX)
	$(Q)flex -o $(build)/$*.lex.c --header-file=$(build)/$*.lex.h $<

$(build)/bpf/%.bc: bpf/%.bpf.c | $(build)/ready
	$(call say,BPF)
	$(Q)$(CLANG) -target bpf -mcpu=v3 -std=gnu11 -O2 -g0 -Wall -Wno-unused-function -Iinclude -Ibpf \
		-idirafter /usr/include/$(shell $(CC) -print-multiarch) -MMD -MP -emit-llvm -c $< -o $@

$(build)/bpf/lib.bc: $(library)
	$(call say,LINK)
	$(Q)$(LLVMLINK) $^ -o $@

# embed SYMBOL,FILE: the file's bytes, from SYMBOL to SYMBOL_end.
embed  = printf '.balign 8\n.global $(1), $(1)_end\n.hidden $(1), $(1)_end\n$(1): .incbin "%s"\n$(1)_end: .byte 0\n' $(2)
rodata = echo '.section .note.GNU-stack,"",@progbits; .section .rodata'

$(build)/bpf/embed.S: $(build)/bpf/lib.bc Makefile
	$(Q){ $(rodata); $(call embed,dtx_bpf_lib,$<); } >$@

# The D library: dtx_d_lib[] of { const char *name; const unsigned char *text, *end; }, ended by zeros.
dlib := $(notdir $(basename $(wildcard compiler/lib/*.d)))
$(build)/compiler/embed.S: $(dlib:%=compiler/lib/%.d) Makefile
	$(Q)mkdir -p $(@D); { $(rodata); $(foreach d,$(dlib),echo 'name_$d: .string "$d.d"'; \
		$(call embed,text_$d,compiler/lib/$d.d);) echo '.section .data.rel.ro,"aw"; .balign 8'; \
		echo '.global dtx_d_lib; .hidden dtx_d_lib; dtx_d_lib:'; $(foreach d,$(dlib),echo '.quad name_$d, text_$d, text_$d_end';) \
		echo '.quad 0, 0, 0'; } >$@

$(build)/%.html.S: %.html Makefile
	$(Q)mkdir -p $(@D); { $(rodata); $(call embed,dtx_$(basename $(notdir $<))_html,$<); } >$@

# --- linking -----------------------------------------------------------------------------------

# Static libraries by default: the shared ones cost more to start than a small program takes to run.
shared    = $(LLVM)$(SAN)
llvm_libs = $(shell $(LLVMCONF) $(if $(filter shared,$(LLVM)),,--link-static) --ldflags --libs \
            core bitreader linker ipo passes bpf) $(if $(shared),-lstdc++,-l:libstdc++.a)
rt_names  = -lbpf -ldw -lelf -liberty -lz -lzstd -llzma -lbz2
libs      = $(llvm_libs) $(if $(shared),$(rt_names),-Wl,-Bstatic $(rt_names) -Wl,-Bdynamic) -lm -lpthread

# A library is one object that has only the symbols which its public header declares: all others are hidden, and made local.
$(build)/libdtx.o: $(compiler) $(runtime)
$(build)/libdtxrt.o: $(runtime)
$(build)/lib%.o:
	$(call say,LINK)
	$(Q)$(CC) -nostdlib -r $^ -o $@ && objcopy --localize-hidden $@
$(build)/lib%.a: $(build)/lib%.o
	$(call say,AR)
	$(Q)rm -f $@; ar rcs $@ $^

$(build)/dtx: $(command) $(compiler) $(runtime) compiler/emit/late.ld
	$(call say,LINK)
	$(Q)$(CC) $(asan) $(LDFLAGS) -Wl,--gc-sections $(if $(shared),,-Wl,-T,compiler/emit/late.ld) $(filter %.o,$^) -o $@ $(libs)

include tests/fuzz/rules.mk tests/bench/rules.mk tests/rules.mk

# --- goals -------------------------------------------------------------------------------------

packages = sed -n 's/^\([^ \#]*\) *\# $(1):.*/\1/p' packaging/deps.txt
missing  = for p in $$($(call packages,$(1))); do dpkg-query -W -f='$${Status}\n' $$p 2>/dev/null | \
           grep -q '^install ok installed' || echo $$p; done

$(build)/ready: packaging/deps.txt
	@mkdir -p $(@D); command -v dpkg-query >/dev/null || { touch $@; exit; }; missing=$$($(call missing,build)); \
	[ -z "$$missing" ] || { echo "not installed:" $$missing; echo "to install: make deps"; exit 1; }; touch $@
deps:
	@missing=$$($(call missing,[a-z]*)); [ -z "$$missing" ] || { echo "installing" $$missing; apt-get -q update && \
	DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends $$missing; }
demo: deps
	@$(MAKE) -s --no-print-directory all $(triggers) && DTX=$(build)/dtx tests/demo
bench: all $(triggers) $(bench_made)
	@DTX=$(build)/dtx tests/bench/run $(T)
clean: ; $(Q)rm -rf build
install: all
	install -D -t $(DESTDIR)$(PREFIX)/bin $(build)/dtx
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include include/dtx.h include/dtx-run.h
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib $(build)/libdtx.a $(build)/libdtxrt.a

.PHONY: .FORCE all deps demo bench install clean
-include $(shell find $(addprefix $(build)/,base cmd grammar compiler runtime bpf fuzz tests/unit tests/fuzz) -name '*.d' 2>/dev/null)
