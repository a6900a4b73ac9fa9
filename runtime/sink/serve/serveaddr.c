/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serveaddr.c - what users and clients write: the address of option serve, the Host header, numbers
 * and tokens of requests.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>

#include "runtime/sink/serve/serve.h"

static bool addr_port(const char *text, u16 *port)
{
	u32 n = 0, digits = 0;

	for (; isdigit((u8)*text) && digits < 6; text++, digits++)
		n = n * 10 + (*text - '0');
	*port = n;
	return digits && digits < 6 && !*text && n <= UINT16_MAX;
}

static bool addr_host(struct serve_address *a)
{
	if (inet_pton(AF_INET, a->host, &a->sock.in.sin_addr) == 1) {
		a->sock.in.sin_family = AF_INET;
		a->sock.in.sin_port = htons(a->port);
		a->len = sizeof(a->sock.in);
		return true;
	}
	struct in6_addr in6;
	if (inet_pton(AF_INET6, a->host, &in6) != 1)
		return false;
	a->sock.in6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_addr = in6,
					     .sin6_port = htons(a->port) };
	a->len = sizeof(a->sock.in6);
	return true;
}

/* Cuts "HOST", "HOST:PORT", "[HOST]:PORT" in two; NULL: it has no port. */
static const char *addr_cut(const char *text, char *host, size_t size)
{
	const char *end = *text == '[' ? strchr(text, ']') : text + strcspn(text, ":");
	size_t from = *text == '[';

	host[0] = '\0';
	if (!end || (size_t)(end - text) - from >= size)
		return NULL;
	if (end[from] && end[from] != ':')
		return NULL;
	memcpy(host, text + from, end - text - from);
	host[end - text - from] = '\0';
	end += from;
	return *end == ':' ? end + 1 : NULL;
}

/* A socket of the file system. */
static const char *addr_path(const char *text, struct serve_address *a)
{
	if (strlen(text) >= sizeof(a->sock.un.sun_path))
		return "the path of a socket has at most 107 bytes";
	a->local = true;
	strcpy(a->host, text);
	a->sock.un.sun_family = AF_UNIX;
	strcpy(a->sock.un.sun_path, text);
	a->len = sizeof(a->sock.un);
	return NULL;
}

const char *serve_address(const char *text, struct serve_address *a)
{
	const char *port;

	memset(&a->sock, 0, sizeof(a->sock));
	if (*text == '/')
		return addr_path(text, a);
	port = addr_cut(text, a->host, sizeof(a->host));
	if (!port) {
		port = text;
		strcpy(a->host, "127.0.0.1");
	}
	if (!addr_port(port, &a->port))
		return "it needs a port from 0 to 65535, or the path of a socket: --serve 8080, "
		       "--serve /run/dtx.sock";
	if (!addr_host(a))
		return "the address is not a number: --serve 192.0.2.1:8080, --serve [::]:8080";
	return NULL;
}

static bool addr_any(const struct serve_address *a)
{
	return !strcmp(a->host, "0.0.0.0") || !strcmp(a->host, "::");
}

/* Numbers are good where any address is served: no name of a page leads there. */
static bool addr_is_number(const char *host)
{
	u8 bytes[16];

	return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

bool serve_host_ok(const struct serve_address *a, const char *text)
{
	char host[256];

	if (!text || !*text)
		return false;
	const char *port = addr_cut(text, host, sizeof(host));
	if (port && !addr_port(port, &(u16){ 0 }))
		return false;
	if (!strcasecmp(host, "localhost") || !strcmp(host, "127.0.0.1") || !strcmp(host, "::1"))
		return true;
	return !strcmp(host, a->host) || (addr_any(a) && addr_is_number(host));
}

bool serve_origin_ok(const char *origin, const char *host)
{
	return !origin || (!strncasecmp(origin, "http://", 7) && host &&
			   !strcasecmp(origin + 7, host));
}

u64 serve_number(const char *text, u64 most, u64 otherwise)
{
	u64 n = 0;
	u32 digits = 0;

	for (; text && isdigit((u8)text[digits]) && digits < 18; digits++)
		n = n * 10 + (text[digits] - '0');
	return digits && !text[digits] && n <= most ? n : otherwise;
}

bool serve_token_ok(const char *token, const char *given)
{
	size_t len = strlen(token);
	u8 differ = 0;

	if (!given || strlen(given) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		differ |= token[i] ^ given[i];
	return !differ;
}
