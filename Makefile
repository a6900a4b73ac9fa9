# SPDX-License-Identifier: BSD-2-Clause
#
# make            build/dtx and its libraries        make check    all tests (check-kernel K=5.10: a guest's)
# make deps       install what is missing (apt)      make accept T=e2e/TOPIC/x.d   rewrite a golden
# make demo       the main job on live traffic       make lint     rules of the source tree
# make install    PREFIX, DESTDIR                    make bench    measurements
# make deb        Debian packages (check-deb: tests) make dist     a tarball that builds without git
# make check-debian D=13 T=unit/                     native tests in a bare Debian of that release
#
# V=1 shows the commands, SAN=1 builds with sanitizers in build/san, VALGRIND=1 checks under valgrind, LLVM=shared links what the
# distribution has as shared libraries.

PREFIX  ?= /usr/local
machine := $(shell uname -m)
ARCH    := $(machine)# a folder of base/arch/; make ARCH=MACHINE: for another one, in build/MACHINE (docs/machines.md)
ifdef FOR
override ARCH := $(FOR)# a dtx that runs here and compiles for another machine: build/for/MACHINE/dtx
endif
override ARCH := $(or $(notdir $(wildcard base/arch/$(ARCH))),$(shell dpkg-architecture -a$(ARCH) -qDEB_HOST_GNU_CPU 2>/dev/null))# or Debian's name
cross   := $(if $(FOR),,$(if $(filter-out $(machine),$(ARCH)),$(ARCH)-linux-gnu-))
build   := build$(if $(FOR),/for/$(ARCH),$(if $(cross),/$(ARCH)))$(if $(SAN),/san)$(if $(COV),/cov)
sysroot := $(if $(cross),$(or $(SYSROOT),build/$(ARCH)/sysroot))# libraries of another machine
foreign := $(if $(cross),qemu-$(ARCH) -L /usr/$(ARCH)-linux-gnu)# what runs its programs
CC       = $(cross)gcc
CLANG    = clang-19
LLVMLINK = llvm-link-19
LLVMDIS  = llvm-dis-19
LLC      = llc-19
LLVMCONF = llvm-config-19

Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-6s %s\n' $(1) $(patsubst $(build)/%,%,$@);) mkdir -p $(@D)
MAKEFLAGS += -r $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))
.DELETE_ON_ERROR .SECONDARY:

# --- what there is -----------------------------------------------------------------------------

objects  = $(patsubst %.c,$(build)/%.o,$(1))
deep     = $(wildcard $(foreach d,$(1),$d/*.$(2) $d/*/*.$(2) $d/*/*/*.$(2)))# files of a kind in folders, and in theirs
grammar  := $(patsubst grammar/%.y,$(build)/grammar/%.tab.c,$(wildcard grammar/*.y)) \
            $(patsubst grammar/%.l,$(build)/grammar/%.lex.c,$(wildcard grammar/*.l))
library  := $(patsubst %.bpf.c,$(build)/%.bc,$(call deep,bpf,bpf.c))
base     := $(call objects,$(wildcard base/*.c base/tables/*.c base/arch/$(ARCH)/*.c))
compiler := $(call objects,$(call deep,compiler,c)) $(grammar:.c=.o) $(addprefix $(build)/,bpf/embed.o bpf/pieces.o compiler/embed.o compiler/manpages.o)
embedded := $(foreach kind,html js css,$(call deep,runtime,$(kind)))
protos   := $(patsubst %.proto,$(build)/%.pb-c.c,$(call deep,runtime,proto))
runtime  := $(base) $(call objects,$(call deep,runtime,c)) $(embedded:%=$(build)/%.o) $(protos:.c=.o)
command  := $(call objects,cmd/command.c cmd/hung.c cmd/machines.c cmd/output.c cmd/say.c cmd/script.c cmd/signals.c $(addprefix cmd/fleet/,above.c agent.c child.c frame.c resume.c whoami.c))

all: $(build)/dtx $(build)/dtx-run $(build)/libdtx.a $(build)/libdtxrt.a $(build)/libdtxeu.a

# --- C -----------------------------------------------------------------------------------------

CFLAGS ?= $(if $(SAN),-O1,-O2) -g
asan    = $(if $(SAN),-fsanitize=address -fsanitize=undefined -fno-omit-frame-pointer -w) $(if $(COV),--coverage)
llvm_include := $(shell $(LLVMCONF) --includedir 2>/dev/null)
cflags  = -std=gnu11 $(CFLAGS) $(CPPFLAGS) -fPIC -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter \
          -Wno-missing-field-initializers -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -D_GNU_SOURCE -DDTX_VERSION=$(version)$(if $(FOR), -DDTX_FOREIGN) $(asan) -MMD -MP \
          -Iinclude -I. -Ibase/arch/$(ARCH) -I$(build) -I$(build)/grammar $(addprefix -isystem ,$(llvm_include)) $(if $(cross),-idirafter /usr/include)

$(build)/%.o: %.c $(build)/flags | $(grammar) $(protos) $(build)/ready
	$(call say,CC)
	$(Q)$(CC) $(cflags) -c $< -o $@

# What flex and bison write.
generated = $(addprefix -Wno-,unused-function sign-compare unused-but-set-variable missing-prototypes)
$(build)/%.o: $(build)/%.c $(build)/flags | $(grammar) $(protos)
	$(call say,CC)
	$(Q)$(CC) $(cflags) $(generated) -c $< -o $@

$(build)/%.o: $(build)/%.S ; $(Q)$(CC) -c $< -o $@

# --- the grammar, the D library ---------------------------------------------------------------

$(build)/%.tab.c $(build)/%.tab.h &: %.y | $(build)/ready
	$(call say,BISON)
	$(Q)bison -Wall -Werror=conflicts-sr -Werror=conflicts-rr -d -o $(build)/$*.tab.c $<

$(build)/%.lex.c $(build)/%.lex.h &: %.l | $(build)/ready
	$(call say,FLEX)
	$(Q)flex -o $(build)/$*.lex.c --header-file=$(build)/$*.lex.h $<

# embed SYMBOL,FILE: the file's bytes, from SYMBOL to SYMBOL_end.
embed  = printf '.balign 8\n.global $(1), $(1)_end\n.hidden $(1), $(1)_end\n$(1): .incbin "%s"\n$(1)_end: .byte 0\n' $(2)
rodata = echo '.section .note.GNU-stack,"",@progbits; .section .rodata'

# embed_all SYMBOL,FILES: SYMBOL[] of { const char *name; const unsigned char *text, *end; }, ended by zeros.
label     = $(subst -,_,$(subst .,_,$(notdir $(1))))
embed_all = mkdir -p $(@D); { $(rodata); $(foreach f,$(2),echo 'name_$(call label,$f): .string "$(notdir $f)"'; \
	echo '.balign 8; text_$(call label,$f): .incbin "$f"; end_$(call label,$f): .byte 0';) echo '.section .data.rel.ro,"aw"; .balign 8; .global $(1); .hidden $(1); $(1):'; \
	$(foreach f,$(call label,$(2)),echo '.quad name_$f, text_$f, end_$f';) echo '.quad 0, 0, 0'; } >$@
dlib := $(wildcard compiler/lib/*.d base/arch/$(ARCH)/*.d $(if $(wildcard base/arch/$(ARCH)/fcntl.d),,base/arch/fcntl.d))
$(build)/compiler/embed.S: $(dlib) Makefile ; $(Q)$(call embed_all,dtx_d_lib,$(dlib))

# --- linking -----------------------------------------------------------------------------------

# Static libraries by default: the shared ones cost more to start than a small program takes to run.
# sources.list: libraries of a later release than the cross compiler's C library. eu: see packaging/eu.c. The C++ library is the compiler's, or g++'s where the compiler has none.
shared    = $(LLVM)$(SAN)
ldflags   = $(LDFLAGS) $(sysroot:%=-L%/usr/lib/$(ARCH)-linux-gnu -Wl,-rpath-link,%/usr/lib/$(ARCH)-linux-gnu)
stdcxx    = $(firstword $(wildcard $(foreach c,$(CC) g++,$(shell $(c) -print-file-name=libstdc++.a 2>/dev/null))))
ifdef cross
stdcxx    = $(shell echo $(sysroot)/usr/lib/gcc/*/*/libstdc++.a)
endif
llvm_libs = $(order:%=-Wl,-T,%) $(patsubst -L/%,-L$(sysroot)/%,$(shell $(LLVMCONF) $(if $(filter shared,$(LLVM)),,--link-static) --ldflags --libs \
            core bitreader linker ipo passes bpf)) $(if $(shared),-lstdc++,$(stdcxx))
order     = $(if $(shared),,$(addprefix compiler/emit/target/,llvm.ld order.ld))
rt_names  = -lncursesw -ltinfo -lprotobuf-c -lbpf -ldw -lelf -liberty -lz -lzstd -llzma -lbz2
eu       := $(build)/libdtxeu.a
static    = -Wl,-Bstatic $(1) $(eu) -Wl,-Bdynamic
rt_libs   = $(if $(shared),$(rt_names),$(call static,$(rt_names))) -Wl,--as-needed -lm -Wl,--no-as-needed -lpthread $(if $(wildcard $(sysroot)/sources.list),-Wl$(comma)--allow-shlib-undefined -l:libc.so.6)
libs      = $(llvm_libs) $(rt_libs)

# A library is one object that has only the symbols which its public header declares: all others are hidden, and made local.
$(build)/libdtx.o: $(compiler) $(runtime)
$(build)/libdtxrt.o: $(runtime)
$(build)/lib%.o:
	$(call say,LINK)
	$(Q)$(CC) -nostdlib -r $^ -o $@ && $(cross)objcopy --localize-hidden $@
$(eu): $(build)/packaging/eu.o
$(build)/libdtx.a $(build)/libdtxrt.a: %.a: %.o
$(eu) $(build)/libdtx.a $(build)/libdtxrt.a:
	$(call say,AR)
	$(Q)rm -f $@; ar rcs $@ $^

$(build)/dtx: $(addprefix $(build)/cmd/,main.o object.o complete.o tools.o fmt.o) $(call objects,$(wildcard cmd/lsp/*.c cmd/fleet/*.c)) $(compiler) $(order)
$(build)/dtx: needs = $(call static,-ljansson) $(libs)
$(build)/dtx-run: $(build)/cmd/run.o
$(build)/dtx-run: needs = $(rt_libs)
$(build)/dtx $(build)/dtx-run: $(command) $(runtime) $(eu)
	$(call say,LINK)
	$(Q)$(CC) $(asan) $(ldflags) -Wl,--gc-sections $(filter %.o,$^) -o $@ $(needs)

include bpf/rules.mk runtime/rules.mk packaging/rules.mk tests/fuzz/rules.mk tests/bench/rules.mk tests/rules.mk

# Other flags than last time make everything again. They are compared when make starts, so that make -n and -q tell the truth.
$(build)/flags: $(shell echo '$(CC) $(cflags)' | cmp -s - $(build)/flags || echo .FORCE)
	@mkdir -p $(@D); echo '$(CC) $(cflags)' >$@

# --- goals -------------------------------------------------------------------------------------

# What a machine needs no libraries of its own for: all objects and the BPF library, compiled for it (Debian's cross compiler).
arch-objects: $(compiler) $(runtime) $(command) $(addprefix $(build)/cmd/,main.o run.o)
demo: deps ; @$(MAKE) -s --no-print-directory all $(triggers) && DTX=$(build)/dtx tests/demo
bench: all $(triggers) $(bench_made)
	@DTX=$(build)/dtx tests/bench/run $(T)
clean: ; $(Q)rm -rf build

.PHONY: .FORCE all demo bench clean arch-objects
-include $(shell find $(addprefix $(build)/,arch base cmd grammar compiler runtime bpf fuzz packaging tests/unit tests/fuzz) -name '*.d' 2>/dev/null)
