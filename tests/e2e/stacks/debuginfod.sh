#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc objcopy strip readelf python3
# where: native
# timeout: 60
#
# DEBUGINFOD_URLS: the names and lines of a stripped program come from a server, by its build id. Without the
# variable nobody is asked. A server that does not answer is told, once, and the run goes on.
. "$(dirname "$0")/../lib.sh"

ls /usr/lib/*/libdebuginfod.so.1 >/dev/null 2>&1 || skip 'no libdebuginfod1 here'
cat >"$tmp/asks.c" <<'END'
#include <unistd.h>
__attribute__((noipa)) static void asks(void) { getppid(); }
int main(void) { asks(); return 0; }
END
gcc -g -O1 -Wl,--build-id -o "$tmp/asks" "$tmp/asks.c" || fail 'the program does not compile'
id=$(readelf -n "$tmp/asks" | sed -n 's/.*Build ID: //p')
mkdir -p "$tmp/web/buildid/$id" "$tmp/cache"
objcopy --only-keep-debug "$tmp/asks" "$tmp/web/buildid/$id/debuginfo"
strip "$tmp/asks"
python3 - "$tmp" <<'END' &
import functools, http.server, sys
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        open(sys.argv[1] + "/asked", "a").write(self.path + "\n")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=sys.argv[1] + "/web"))
open(sys.argv[1] + "/port", "w").write(str(server.server_port) + "\n")
server.serve_forever()
END
trap 'kill %1; rm -rf "$tmp"' EXIT
awaits [ -s "$tmp/port" ]
export DEBUGINFOD_CACHE_PATH=$tmp/cache
D='syscall::getppid:entry /pid == $target/ { @[ustack(2)] = count(); }'

# frames ARG…: of the stack, without blanks.
frames() { dtx "$@" -qn "$D" -c "$tmp/asks"; sed -n 's/^  *\([^ ]*`.*\)/\1/p' "$tmp/out"; }

frames >"$tmp/without"
! grep -q 'asks`asks' "$tmp/without" || fail 'the program is not stripped'
[ ! -e "$tmp/asked" ] || fail "a server was asked: $(cat "$tmp/asked")"
export DEBUGINFOD_URLS=http://127.0.0.1:$(cat "$tmp/port")/
frames >"$tmp/with"
grep -q '^asks`asks+0x' "$tmp/with" || fail "the server's names are not used: $(cat "$tmp/with" "$tmp/asked")"
grep -q "/buildid/$id/debuginfo" "$tmp/asked" || fail 'it was not asked for the program'
frames -x stacklines >"$tmp/lines"
grep -q '^asks`asks+0x[0-9a-f]* (asks.c:2)' "$tmp/lines" || fail "no lines: $(cat "$tmp/lines")"
! grep debuginfod "$tmp/err" || fail 'a message without a reason'

export DEBUGINFOD_URLS=http://127.0.0.1:1/ DEBUGINFOD_CACHE_PATH=$tmp/cache2
frames >"$tmp/none"
same "$(cat "$tmp/without")" "$(cat "$tmp/none")" 'without an answer'
same 1 "$(grep -c 'DEBUGINFOD_URLS do not answer' "$tmp/err")" 'the warning'
