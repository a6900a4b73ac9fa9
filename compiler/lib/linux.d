/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * linux.d - names that other tracers of Linux have for what D says otherwise.
 *
 * An inline __call_F is used as a function, F(...): check_call.c looks for it when nothing
 * else has the name.  Names that stand for one built-in are rows of builtins.def.
 */
inline string pcomm = curthread->real_parent->comm;
inline string leader_comm = curthread->group_leader->comm;
inline id_t leader_tid = $__pidns ? pid : curthread->group_leader->pid;
inline pid_t cpid = $target;
inline int has_cpid = $target != 0;
inline uint64_t jiffies = `jiffies;

inline int __call_strcontains[string s, string part] = strstr(s, part) != NULL;
inline int __call_strncmp[string a, string b, int n] =
	substr(a, 0, n) == substr(b, 0, n) ? 0 : substr(a, 0, n) < substr(b, 0, n) ? -1 : 1;
inline int __call_is_err[void *p] = (uint64_t)p > 0xfffffffffffff000;
inline string __call_macaddr[void *p] = link_ntop(1, p);

inline int true = 1;
inline int false = 0;
inline int TASK_RUNNING = 0;
inline int TASK_INTERRUPTIBLE = 1;
inline int TASK_UNINTERRUPTIBLE = 2;
typedef int8_t int8;
typedef int16_t int16;
typedef int32_t int32;
typedef int64_t int64;
typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;

inline uint64_t __call_socket_cookie[struct sock *sk] = sk->__sk_common.skc_cookie.counter;

/* Pages of a folio, or of a page that is the first of several: the flags are its first word. */
inline uint64_t __folio_pages[struct folio *F] = !(*(uint64_t *)F >> PG_head & 1) ? 1 :
	__has_member(struct folio, _folio_nr_pages) ? F->_folio_nr_pages :
	__has_member(struct folio, _nr_pages) ? F->_nr_pages : 1;
inline uint64_t __page_pages[struct page *P] = !(*(uint64_t *)P >> PG_head & 1) ? 1 :
	__has_member(struct page, compound_nr) ? (P + 1)->compound_nr : 1;

/* Does the thread sleep for the mutex, the first of those that do?  What they are queued by is on their stacks. */
inline struct mutex_waiter *__mutex_first[struct mutex *M] =
	__has_member(struct mutex, first_waiter) ? M->first_waiter :
	(uintptr_t)M->wait_list.next == (uintptr_t)&M->wait_list ? NULL : (struct mutex_waiter *)M->wait_list.next;
inline int __mutex_sleeps[struct mutex *M] = __mutex_first[M] != NULL && __mutex_first[M]->task == curthread;
