/* SPDX-License-Identifier: BSD-2-Clause */
/* needs: uprobes */
/* where: native */
/* trigger: threads 8 100000 */
/* timeout: 60 */
/* hit() returns its argument, which no other call has: what entry keeps in self-> is what return finds. */
pid$target:threads:hit:entry
{
	self->argument = arg0 + 1;
}

pid$target:threads:hit:return
/self->argument == retval + 1/
{
	@["same"] = count();
}

pid$target:threads:hit:return
/self->argument != retval + 1/
{
	@["mixed"] = count();
}
