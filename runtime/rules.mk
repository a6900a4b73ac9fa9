# SPDX-License-Identifier: BSD-2-Clause
#
# What the runtime is made of beside C: texts that are embedded, and protocol buffers; a part of the Makefile.

# flame.js is the symbol dtx_flame_js.
$(embedded:%=$(build)/%.S): $(build)/%.S: % Makefile runtime/rules.mk
	$(Q)mkdir -p $(@D); { $(rodata); $(call embed,dtx_$(subst .,_,$(notdir $<)),$<); } >$@

$(build)/%.pb-c.c $(build)/%.pb-c.h &: %.proto | $(build)/ready
	$(call say,PROTO)
	$(Q)protoc-c --c_out=$(build) $<
