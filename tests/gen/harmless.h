/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * harmless.h - a part of syscall.c: system calls that do no harm with rubbish as arguments, in a
 * process that has no open files and no children.
 *
 * The types of parameters are those of the SYSCALL_DEFINE() of the kernel's sources:
 * i int   u unsigned int   l long, loff_t   U unsigned long, size_t   m umode_t   p pointer
 * Made so that they do no harm: n int, the number of no process   a U without MAP_ANONYMOUS
 * Pointers are to nowhere, and never NULL.
 */
#ifndef GEN_HARMLESS_H
#define GEN_HARMLESS_H

#include <sys/syscall.h>

#define CALL(name, params)  { #name, SYS_##name, params }

static const struct call { const char *name; long number; const char *params; } calls[] = {
	CALL(clock_getres, "ip"), CALL(clock_gettime, "ip"), CALL(clock_nanosleep, "iipp"),
	CALL(close, "u"), CALL(close_range, "uuu"), CALL(copy_file_range, "ipipUu"),
	CALL(dup, "u"), CALL(dup3, "uui"),
	CALL(epoll_create1, "i"), CALL(epoll_ctl, "iiip"), CALL(epoll_pwait, "ipiipU"),
	CALL(eventfd2, "ui"), CALL(faccessat, "ipi"),
	CALL(fadvise64, "ilUi"), CALL(fallocate, "iill"), CALL(fchmod, "um"),
	CALL(fchmodat, "ipm"), CALL(fchown, "uuu"), CALL(fchownat, "ipuui"),
	CALL(fcntl, "uuU"), CALL(fdatasync, "u"), CALL(fgetxattr, "ippU"),
	CALL(flistxattr, "ipU"), CALL(flock, "uu"), CALL(fsync, "u"), CALL(ftruncate, "ul"),
	CALL(futex, "piuppu"), CALL(get_mempolicy, "ppUUU"), CALL(getcpu, "ppp"),
	CALL(getdents64, "upu"), CALL(getgroups, "ip"), CALL(getitimer, "ip"),
	CALL(getpgid, "i"), CALL(getpriority, "ii"), CALL(getrandom, "pUu"),
	CALL(getrlimit, "up"), CALL(getrusage, "ip"), CALL(getsid, "i"),
	CALL(getsockopt, "iiipp"), CALL(inotify_add_watch, "ipu"), CALL(inotify_init1, "i"),
	CALL(inotify_rm_watch, "ii"), CALL(io_cancel, "Upp"), CALL(io_destroy, "U"),
	CALL(io_setup, "up"), CALL(ioctl, "uuU"), CALL(ioprio_get, "ii"),
	CALL(ioprio_set, "ini"), CALL(kcmp, "nniUU"), CALL(kill, "ni"),
	CALL(linkat, "ipipi"), CALL(listen, "ii"), CALL(lseek, "ulu"), CALL(mbind, "UUUpUu"),
	CALL(migrate_pages, "nUpp"), CALL(mincore, "UUp"),
	CALL(mkdirat, "ipm"), CALL(mknodat, "ipmu"), CALL(mlock, "UU"),
	CALL(mmap, "UUUaUU"), CALL(move_pages, "nUpppi"), CALL(msync, "UUi"),
	CALL(munlock, "UU"), CALL(name_to_handle_at, "ipppi"),
	CALL(openat, "ipim"), CALL(openat2, "ippU"), CALL(perf_event_open, "piiiU"),
	CALL(personality, "u"), CALL(pidfd_open, "nu"), CALL(pidfd_send_signal, "iipu"),
	CALL(pkey_free, "i"), CALL(prctl, "iUUUU"), CALL(pread64, "upUl"),
	CALL(preadv, "UpUUU"), CALL(prlimit64, "nupp"), CALL(process_vm_readv, "npUpUU"),
	CALL(pwrite64, "upUl"), CALL(read, "upU"), CALL(readahead, "ilU"),
	CALL(readlinkat, "ippi"), CALL(readv, "UpU"), CALL(recvfrom, "ipUupp"),
	CALL(renameat2, "ipipu"), CALL(rt_sigprocmask, "ippU"), CALL(rt_sigqueueinfo, "nip"),
	CALL(rt_tgsigqueueinfo, "nnip"), CALL(sched_get_priority_max, "i"),
	CALL(sched_getaffinity, "nup"), CALL(sched_getscheduler, "i"),
	CALL(sched_rr_get_interval, "ip"), CALL(sched_setaffinity, "nup"),
	CALL(sched_setscheduler, "nip"), CALL(sendfile, "iipU"), CALL(sendto, "ipUupi"),
	CALL(setfsgid, "u"), CALL(setfsuid, "u"), CALL(setgid, "u"), CALL(setns, "ii"),
	CALL(setpgid, "ni"), CALL(setpriority, "ini"), CALL(setregid, "uu"),
	CALL(setresuid, "uuu"), CALL(setreuid, "uu"), CALL(setsockopt, "iiipi"),
	CALL(setuid, "u"), CALL(shutdown, "ii"), CALL(signalfd4, "ipUi"),
	CALL(splice, "ipipUu"), CALL(statx, "ipuup"), CALL(symlinkat, "pip"),
	CALL(sync_file_range, "illu"), CALL(syncfs, "i"), CALL(tee, "iiUu"),
	CALL(tgkill, "nni"), CALL(timer_delete, "i"), CALL(timer_settime, "iipp"),
	CALL(timerfd_create, "ii"), CALL(tkill, "ni"), CALL(truncate, "pl"),
	CALL(umask, "i"), CALL(unlinkat, "ipi"), CALL(utimensat, "ippi"),
	CALL(vmsplice, "ipUu"), CALL(wait4, "ipip"), CALL(waitid, "iipip"),
	CALL(write, "upU"),
#ifdef SYS_open                          /* machines that have the old ones, too */
	CALL(access, "pi"), CALL(alarm, "u"), CALL(chmod, "pm"), CALL(creat, "pm"),
	CALL(dup2, "uu"),
	CALL(epoll_wait, "ipii"), CALL(mkdir, "pm"), CALL(mknod, "pmu"), CALL(open, "pim"),
#endif
};

#endif
