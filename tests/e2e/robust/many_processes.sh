#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc python3
# where: native
# timeout: 60
#
# Two thousand processes that are traced at once, each with keys and stacks of its own.
# attack: 2,000 processes with keys and stacks of their own, whose firings come at once | all are counted, no loss, memory below 200 MB
. "$(dirname "$0")/../lib.sh"
plain 'it takes memory of its own'

[ "$(ulimit -u)" = unlimited ] || [ "$(ulimit -u)" -gt 3000 ] || skip 'needs 3,000 processes (ulimit -u)'
gcc -O1 -x c -o "$tmp/many" - <<'END' || fail 'cannot compile'
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
enum { MANY = 2000 };
int main(void)
{
	int go[2], done[2];
	char c = 0;

	if (pipe(go) || pipe(done))
		return 1;
	for (int i = 0; i < MANY; i++)
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(go[1]);
			if (read(go[0], &c, 1) >= 0)
				for (int k = 0; k < 10; k++)
					syscall(SYS_getpgid, 7777);
			if (write(done[1], &c, 1) == 1)
				pause();
			_exit(1);
		}
	close(go[1]);
	for (int i = 0; i < MANY; i++)
		if (read(done[0], &c, 1) != 1)
			return 1;
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	while (wait(NULL) > 0)
		;
	return 0;
}
END
python3 - "$DTX" -q -x strict -n 'syscall::getpgid:entry /arg0 == 7777/ { @n = count(); @["pid", pid] = count(); @s[ustack(3)] = sum(1); }
	END { printa("all %@d\n", @n); }' -c "setsid -w $tmp/many" >"$tmp/out" 2>"$tmp/err" 3>"$tmp/used" <<'END' || fail "status $?: $(cat "$tmp/err")"
import os, resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
os.write(3, str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss).encode())
sys.exit(status)
END
grep -qx 'all 20000' "$tmp/out" || fail "all are 20000: $(grep all "$tmp/out")"
rows=$(awk '$1 == "pid" && $3 == 10' "$tmp/out" | wc -l)
[ "$rows" = 2000 ] || fail "$rows processes have 10"
[ ! -s "$tmp/err" ] || fail "$(cat "$tmp/err")"
[ "$(cat "$tmp/used")" -lt 200000 ] || fail "dtx took $(cat "$tmp/used") kB"
