/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * truth PID TID: the stack of a thread of a stopped process, as libdwfl unwinds it: a line for each
 * frame, the innermost first, with all ways to name its place: OBJECT+0xADDRESS, then
 * OBJECT`SYMBOL+0xOFFSET for each symbol that begins where the best one does; OBJECT`? if no symbol
 * covers it, as in stubs of the linker.  The process goes on afterwards.  For tests/bench/truth.
 */
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int on_frame(Dwfl_Frame *f, void *arg)
{
	Dwfl *dwfl = dwfl_thread_dwfl(dwfl_frame_thread(f));
	Dwarf_Addr pc, base = 0;
	Dwfl_Module *m;
	bool exact;
	GElf_Off off = 0;
	GElf_Sym sym = { 0 };
	const char *path, *object;
	int *frames = arg;

	if (!dwfl_frame_pc(f, &pc, &exact) || !pc)
		return DWARF_CB_ABORT;
	m = dwfl_addrmodule(dwfl, pc - !exact);
	if (!m) {
		printf("= 0x%" PRIx64 "\n", pc);
		return DWARF_CB_OK;
	}
	path = dwfl_module_info(m, NULL, &base, NULL, NULL, NULL, NULL, NULL);
	object = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	printf("= %s+0x%" PRIx64, object, pc - base);
	if (!dwfl_module_addrinfo(m, pc - !exact, &off, &sym, NULL, NULL, NULL))
		printf(" %s`?", object);
	for (int i = 1, n = sym.st_value ? dwfl_module_getsymtab(m) : 0; i < n; i++) {
		GElf_Addr at;
		GElf_Sym one;
		const char *name = dwfl_module_getsym_info(m, i, &one, &at, NULL, NULL, NULL);

		if (!name || !*name || at != pc - !exact - off)
			continue;
		printf(" %s`%.*s", object, (int)strcspn(name, "@"), name);   /* no version */
		if (pc != at)
			printf("+0x%" PRIx64, pc - at);
	}
	printf("\n");
	return ++*frames < 512 ? DWARF_CB_OK : DWARF_CB_ABORT;
}

int main(int argc, char **argv)
{
	static const Dwfl_Callbacks calls = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	Dwfl *dwfl = dwfl_begin(&calls);
	pid_t pid = argc > 2 ? atoi(argv[1]) : 0, tid = argc > 2 ? atoi(argv[2]) : 0;
	int frames = 0;

	if (!dwfl || dwfl_linux_proc_report(dwfl, pid) || dwfl_report_end(dwfl, NULL, NULL) ||
	    dwfl_linux_proc_attach(dwfl, pid, false))
		printf("= cannot look at %d\n", pid);
	else
		dwfl_getthread_frames(dwfl, tid, on_frame, &frames);
	printf("= end\n");
	dwfl_end(dwfl);
	kill(pid, SIGCONT);
	return 0;
}
