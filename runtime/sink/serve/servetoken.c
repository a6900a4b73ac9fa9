/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * servetoken.c - the tokens of a run: the one in its link, and that of option metricstoken.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include <dtx/opt.h>

#include "runtime/sink/serve/serve.h"

int serve_token(struct out *o, char token[SERVE_TOKEN])
{
	u8 bytes[16];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return dtx_env_fail(o->env, -errno, "option serve: no random token: %s",
				    strerror(errno));
	for (u32 i = 0; i < sizeof(bytes); i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

#define METRICS_TOKEN_LEAST  16

/* The token of a file, which Prometheus reads, too. */
int serve_metrics_token(struct out *o, char **token)
{
	const char *path = opt_text(o->env, OPT_metricstoken);
	size_t len;
	int err;

	if (!path || !*path)
		return 0;
	err = file_read_named(path, token, &len);
	if (err)
		return dtx_env_fail(o->env, err, "cannot read %s (option metricstoken): %s", path,
				    file_why(-err));
	len = strcspn(*token, " \t\r\n");
	(*token)[len] = '\0';
	return len >= METRICS_TOKEN_LEAST ? 0 :
	       dtx_env_fail(o->env, -EINVAL, "option metricstoken: the token in %s has less than "
			    "%u characters: make one with openssl rand -hex 16", path,
			    METRICS_TOKEN_LEAST);
}
