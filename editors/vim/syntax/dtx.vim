" SPDX-License-Identifier: BSD-2-Clause
" Syntax of D for dtx. Made by editors/gen from include/dtx/tables/*.def: change those.
if exists("b:current_syntax") | finish | endif
syn case match
syn match dtxNumber "\v<(0x\x+|\d+)[uUlL]*>"
syn match dtxMacro "\v\$\$?(\w+)?"
syn match dtxAggregation "\v\@\w*"
syn match dtxSymbol "\v\w*`\w+"
syn match dtxProbe "\v^[-A-Za-z_$*?\[][-A-Za-z0-9_$.*?\[\]!]*(:[-A-Za-z0-9_$.*?\[\]!+]*){1,4}"
syn match dtxProbe "\v^(BEGIN|END|ERROR|(tick|profile)-\w+)>"
syn match dtxPragma "\v^\s*#.*$"
syn region dtxString start=+"+ skip=+\\\\\|\\"+ end=+"+ oneline contains=dtxFormat
syn match dtxFormat "\v\%[-0+ #'?@]*(\d+|\*)?(\.(\d+|\*))?(hh?|ll?|L)?[a-zA-Z%]" contained
syn region dtxComment start="/\*" end="\*/"
syn match dtxComment "//.*$"
syn keyword dtxKeyword if else for while break continue return sizeof offsetof stringof xlate inline translator provider probe self this args
syn keyword dtxType void char short int long float double signed unsigned struct union enum typedef const volatile extern string userland int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t pid_t uid_t id_t uintptr_t
syn keyword dtxVariable arg0 arg1 arg2 arg3 arg4 arg5 arg6 arg7 arg8 arg9 args caller cgroup comm cpu curtask curthread cwd elapsed epid errno execname gid hostname id ipl ncpus nsecs numaid pid ppid probe probefunc probemod probename probeprov probetype retval root selected stackdepth tid timestamp ucaller uid uregs usermode ustackdepth vtimestamp walltimestamp
syn keyword dtxFunction alloca basename bcopy bswap buf cgroupid cleanpath copyin copyinstr copyinto d_path delete dirname getmajor getminor has_key htonl htonll htons index inet_ntoa inet_ntoa6 inet_ntop json kaddr kptr len link_ntop lltostr memcmp mutex_owned mutex_owner mutex_type_adaptive mutex_type_spin ntohl ntohll ntohs ntop path percpu_kaddr progenyof pton rand reg rindex rw_iswriter rw_read_held rw_write_held speculation str str_concat strchr strftime strjoin strlen strrchr strstr strtok strtoll substr tolower toupper uptr
syn keyword dtxAction breakpoint cat cgroup_path chill clear commit copyout copyoutstr denormalize discard exit freopen ftruncate func join jstack kstack ksym mod normalize override panic pcap print printa printf pystack raise return setopt signal signal_name signal_thread speculate stack stop strerror sym syscall_name system time trace tracemem trunc uaddr ufunc umod username ustack usym write_user zero
syn keyword dtxAggregate avg count hist lhist llquantize lquantize max min quantize stats stddev sum hist lhist
hi def link dtxNumber Number
hi def link dtxMacro PreProc
hi def link dtxAggregation Identifier
hi def link dtxSymbol Identifier
hi def link dtxProbe Label
hi def link dtxPragma PreProc
hi def link dtxString String
hi def link dtxFormat SpecialChar
hi def link dtxComment Comment
hi def link dtxKeyword Statement
hi def link dtxType Type
hi def link dtxVariable Constant
hi def link dtxFunction Function
hi def link dtxAction Function
hi def link dtxAggregate Function
let b:current_syntax = "dtx"
