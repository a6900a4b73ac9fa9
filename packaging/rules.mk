# SPDX-License-Identifier: BSD-2-Clause
#
# What is installed before dtx is built, and dtx itself; a part of the Makefile.

version := $(shell cat VERSION)

packages = sed -n 's/^\([^ \#]*\) *\# $(1):.*/\1/p' packaging/deps.txt
missing  = for p in $$($(call packages,$(1))); do dpkg-query -W -f='$${Status}\n' $$p 2>/dev/null | \
           grep -q '^install ok installed' || echo $$p; done

$(build)/ready: packaging/deps.txt
	@mkdir -p $(@D); command -v dpkg-query >/dev/null || { touch $@; exit; }; missing=$$($(call missing,build)); \
	[ -z "$$missing" ] || { echo "not installed:" $$missing; echo "to install: make deps"; exit 1; }; touch $@
# make deps ARCH=MACHINE: also what builds and tests for another machine.
deps:
	@missing=$$($(call missing,\(build\|test$(if $(cross),\|cross)\))); [ -z "$$missing" ] || { echo "installing" $$missing; apt-get -q update && \
	DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends $$missing; }

# --- the shared library ------------------------------------------------------------------------

# It has LLVM inside, as dtx has; the other libraries are the system's. packaging/libdtx.map: names and their versions.
so := libdtx.so.$(firstword $(subst ., ,$(version)))
$(build)/$(so): $(build)/libdtx.o packaging/libdtx.map $(order)
	$(call say,LINK)
	$(Q)$(CC) -shared $(asan) $(ldflags) -Wl,-soname,$(so),--version-script,packaging/libdtx.map,-z,defs,--as-needed,--gc-sections \
		$(build)/libdtx.o -o $@ $(llvm_libs) \
		$(patsubst -liberty,-Wl$(comma)-Bstatic -liberty -Wl$(comma)-Bdynamic,$(rt_names)) -lm -lpthread
comma := ,

# What a program links: pkg-config --libs libdtx; libdtx-static for all of it inside; libdtxrt to run images without LLVM.
pc_about = $(if $(filter libdtxrt,$*),: runs compiled programs,$(if $(filter libdtx-static,$*),: the static library))
# The library of C++ is that of the compiler that links: its version, and so its folder, is another in the next Debian.
pc_libs  = $(subst $(or $(stdcxx),-lstdc++),-l:libstdc++.a,$(subst $(eu),-ldtxeu,$(pc_own)))
pc_own   = $(if $(filter libdtx,$*),-ldtx,$(if $(filter libdtxrt,$*),-ldtxrt $(rt_libs),-l:libdtx.a $(libs)))
$(build)/%.pc: .FORCE | $(build)/ready
	@printf 'Name: $*\nDescription: DTrace for Linux$(pc_about)\nVersion: $(version)\n' >$@
	@printf 'Cflags: -I$(PREFIX)/include\nLibs: -L$(LIBDIR) $(pc_libs)\n' >>$@

# --- man pages --------------------------------------------------------------------------------------

pages := $(wildcard docs/man/*.md)
$(build)/compiler/manpages.S: $(pages) Makefile ; $(Q)$(call embed_all,dtx_man_pages,$(pages))
$(build)/packaging/mkman: $(build)/packaging/mkman.o $(patsubst %.c,$(build)/%.o,$(wildcard compiler/help/*.c)) \
		$(addprefix $(build)/compiler/,manpages.o embed.o) $(runtime) $(eu)
	$(Q)$(CC) $(asan) $(ldflags) -Wl,--gc-sections $^ -o $@ $(rt_libs)
$(build)/man/made: $(build)/packaging/mkman $(wildcard examples/*.d examples/*.txt) packaging/debian/changelog
	$(call say,MAN)
	$(Q)rm -f $(@D)/*; $(foreign) $< $(@D) "$$(date -u -d '$(dist_time)' +%F)" $(version) $(wildcard examples/*.d) && touch $@

# --- what is installed ---------------------------------------------------------------------------

# The tools are the scripts of examples/, NAME-dtx: the plain names are those of other systems' tools, too.
LIBDIR ?= $(PREFIX)/lib
DOCDIR ?= $(PREFIX)/share/doc
MANDIR ?= $(PREFIX)/share/man
tools  := $(wildcard examples/*.d)
pcs    := $(addprefix $(build)/,libdtx.pc libdtx-static.pc libdtxrt.pc)
install: all $(build)/$(so) $(pcs) $(build)/man/made
	install -D -t $(DESTDIR)$(PREFIX)/bin $(build)/dtx $(build)/dtx-run
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include include/dtx.h include/dtx-run.h include/dtx-data.h include/dtx-message.h
	install -D -m 644 -t $(DESTDIR)$(LIBDIR) $(build)/libdtx.a $(build)/libdtxrt.a $(eu) $(build)/$(so)
	ln -sf $(so) $(DESTDIR)$(LIBDIR)/libdtx.so
	install -D -m 644 -t $(DESTDIR)$(LIBDIR)/pkgconfig $(pcs)
	install -D -m 644 -t $(DESTDIR)$(MANDIR)/man1 $(build)/man/*.1
	install -D -m 644 -t $(DESTDIR)$(MANDIR)/man3 $(build)/man/*.3
	install -D -m 644 -t $(DESTDIR)$(MANDIR)/man7 $(build)/man/*.7
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/vim/vimfiles/ftdetect editors/vim/ftdetect/dtx.vim
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/vim/vimfiles/syntax editors/vim/syntax/dtx.vim
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/dtx editors/dtx.lua editors/dtx.tmLanguage.json
	install -D -m 644 completion/dtx.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/dtx
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions completion/_dtx
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d completion/dtx.fish
	for d in $(tools); do to=$(DESTDIR)$(PREFIX)/bin/$$(basename $$d .d)-dtx; \
		sed '1s,^#!/usr/bin/dtx,#!$(PREFIX)/bin/dtx,' $$d >$$to && chmod 755 $$to || exit 1; done
	install -D -m 644 -t $(DESTDIR)$(DOCDIR)/dtx-tools/examples $(wildcard examples/*.txt examples/*.md)
	install -D -m 644 -t $(DESTDIR)$(DOCDIR)/libdtx-dev/examples examples/embed.c
	install -D -m 644 -t $(DESTDIR)$(DOCDIR)/dtx README.md CHANGELOG.md SECURITY.md
	install -D -m 644 -t $(DESTDIR)$(DOCDIR)/dtx/docs $(wildcard docs/*.*)
	install -D -m 644 -t $(DESTDIR)$(DOCDIR)/dtx/docs/decisions $(wildcard docs/decisions/*.md)
	install -D -m 644 -t $(DESTDIR)$(DOCDIR)/dtx/docs/guide $(wildcard docs/guide/*.md)
	install -D -m 644 -t $(DESTDIR)$(DOCDIR)/dtx/docs/fleet $(wildcard docs/fleet/*)
	install -D -m 644 -t $(DESTDIR)$(DOCDIR)/dtx/docs/screenshots $(wildcard docs/screenshots/*.png)
	install -D -m 644 -t $(DESTDIR)$(DOCDIR)/dtx/examples $(wildcard packaging/prometheus/*)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/systemd/system packaging/systemd/dtx-metrics@.service
	sed -i 's,/usr/bin/dtx,$(PREFIX)/bin/dtx,' $(DESTDIR)$(PREFIX)/lib/systemd/system/dtx-metrics@.service

# --- what is handed on ---------------------------------------------------------------------------

# dist: a tarball that builds where git is not. Equal trees give equal tarballs: order, times and owners are fixed.
dist_time = @$(shell sed -n '1,/^ --/s/^ -- .*>  //p' packaging/debian/changelog | date -u -f - +%s)
dist:
	@mkdir -p build/dist; { git ls-files -co --exclude-standard 2>/dev/null || find . -path ./build -prune -o -path ./.git -prune -o \
		-type f -print | sed 's,^\./,,'; } | while read -r f; do [ ! -e "$$f" ] || echo "$$f"; done | LC_ALL=C sort >build/dist/files
	@tar -c --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime='$(dist_time)' --transform='s,^,dtx-$(version)/,' \
		-T build/dist/files | gzip -9n >build/dist/dtx-$(version).tar.gz && rm build/dist/files && echo build/dist/dtx-$(version).tar.gz
# deb: Debian packages of that tarball, in build/deb (of another machine: build/MACHINE/deb). What dpkg-buildpackage says is in log.
deb: dist | $(sysroot)
	@packaging/deb build/dist/dtx-$(version).tar.gz $(build)/deb $(if $(cross),$(ARCH) $(sysroot))
# All that is promised of the packages; it builds them twice and makes bare roots of Debian 12 and 13, which takes minutes.
check-deb: dist
	@tests/packages $(D)
# release-notes FROM=COMMIT: what changed since, from the log, by area.
release-notes:
	@packaging/release-notes $(FROM)

.PHONY: deps install dist deb check-deb release-notes

# For machines that have another C library, or none (docs/decisions/49-static-dtx-run.md). The linker warns of functions that load
# libraries: packaging/static.c sees that they do not.
$(build)/dtx-run-static: $(build)/cmd/run.o $(build)/packaging/static.o $(command) $(runtime) $(eu)
	$(call say,LINK)
	$(Q)$(CC) -static $(ldflags) -Wl,--gc-sections $(filter %.o,$^) -o $@ $(rt_names) $(eu) -lm -lpthread 2>$@.said || { cat $@.said; exit 1; }
dtx-run-static: $(build)/dtx-run-static
.PHONY: dtx-run-static
