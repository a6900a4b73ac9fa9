# SPDX-License-Identifier: BSD-2-Clause
#
# What is installed before dtx is built, and dtx itself; a part of the Makefile.

packages = sed -n 's/^\([^ \#]*\) *\# $(1):.*/\1/p' packaging/deps.txt
missing  = for p in $$($(call packages,$(1))); do dpkg-query -W -f='$${Status}\n' $$p 2>/dev/null | \
           grep -q '^install ok installed' || echo $$p; done

$(build)/ready: packaging/deps.txt
	@mkdir -p $(@D); command -v dpkg-query >/dev/null || { touch $@; exit; }; missing=$$($(call missing,build)); \
	[ -z "$$missing" ] || { echo "not installed:" $$missing; echo "to install: make deps"; exit 1; }; touch $@
deps:
	@missing=$$($(call missing,[a-z]*)); [ -z "$$missing" ] || { echo "installing" $$missing; apt-get -q update && \
	DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends $$missing; }

# What a program links: pkg-config --libs libdtx, or libdtxrt to run images without LLVM.
pc_libs = $(subst $(eu),-ldtxeu,$(if $(filter libdtx,$*),$(libs),$(rt_libs)))
$(build)/%.pc: .FORCE | $(build)/ready
	@printf 'Name: $*\nDescription: DTrace for Linux$(if $(filter libdtxrt,$*),: runs compiled programs)\nVersion: 1.0\n' >$@
	@printf 'Cflags: -I$(PREFIX)/include\nLibs: -L$(PREFIX)/lib -l$(*:lib%=%) $(pc_libs)\n' >>$@

install: all $(build)/libdtx.pc $(build)/libdtxrt.pc
	install -D -t $(DESTDIR)$(PREFIX)/bin $(build)/dtx $(build)/dtx-run
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include include/dtx.h include/dtx-run.h include/dtx-message.h
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib $(build)/libdtx.a $(build)/libdtxrt.a $(eu)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/pkgconfig $(build)/libdtx.pc $(build)/libdtxrt.pc

.PHONY: deps install
