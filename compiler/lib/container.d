/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * container.d - where the current process lives: its control group, namespaces and container;
 * and the arguments it was started with.
 *
 * Numbers of namespaces are those that /proc/PID/ns shows, the number of a control group is the
 * inode of its folder.
 */
inline string execargs = curthread->mm == NULL ? execname :
	__argtext(curthread->mm->arg_start, curthread->mm->arg_end, 1);

inline struct kernfs_node *__kn = curthread->cgroups->dfl_cgrp->kn;
inline struct kernfs_node *__kn_up[struct kernfs_node *K] =
	__has_member(struct kernfs_node, __parent) ? K->__parent : K->parent;

/* A folder and a slash, from the third above on; nothing above the top. */
inline string __kn_name[struct kernfs_node *K] =
	K == NULL || __kn_up[K] == NULL ? "" : strjoin("/", stringof(K->name));
inline struct kernfs_node *__kn_above[struct kernfs_node *K] = K == NULL ? NULL : __kn_up[K];
inline struct kernfs_node *__kn_1 = __kn_above[__kn];
inline struct kernfs_node *__kn_2 = __kn_above[__kn_1];
inline struct kernfs_node *__kn_3 = __kn_above[__kn_2];
inline struct kernfs_node *__kn_4 = __kn_above[__kn_3];
inline struct kernfs_node *__kn_5 = __kn_above[__kn_4];

inline uint64_t cgroup = __kn->id;
/* The last six folders. */
inline string cgrouppath = __kn_up[__kn] == NULL ? "/" :
	strjoin(strjoin(strjoin(__kn_name[__kn_5], __kn_name[__kn_4]),
			strjoin(__kn_name[__kn_3], __kn_name[__kn_2])),
		strjoin(__kn_name[__kn_1], __kn_name[__kn]));

inline uint32_t cgroupns = curthread->nsproxy->cgroup_ns->ns.inum;
inline uint32_t ipcns = curthread->nsproxy->ipc_ns->ns.inum;
inline uint32_t mntns = curthread->nsproxy->mnt_ns->ns.inum;
inline uint32_t netns = curthread->nsproxy->net_ns->ns.inum;
inline uint32_t pidns = curthread->nsproxy->pid_ns_for_children->ns.inum;
inline uint32_t userns = curthread->cred->user_ns->ns.inum;
inline uint32_t utsns = curthread->nsproxy->uts_ns->ns.inum;

/* The numbers that the process and the thread see themselves, in the innermost namespace. */
inline pid_t nstid = curthread->thread_pid->numbers[curthread->thread_pid->level].nr;
inline pid_t nspid = curthread->group_leader->thread_pid->numbers[curthread->thread_pid->level].nr;

/*
 * The 64 digits of a container's id at the end of the group's name, before ".scope" if that is
 * there: docker-ID.scope, cri-containerd-ID.scope, libpod-ID.scope, ID.
 */
inline string __id_end[string N, int L] = L < 64 ? "" : substr(N, L - 64, 64);
inline string __id_of[string N] =
	strlen(N) > 70 && substr(N, strlen(N) - 6) == ".scope" ? __id_end[N, strlen(N) - 6] :
	__id_end[N, strlen(N)];
inline string containerid = __id_of[stringof(__kn->name)];
