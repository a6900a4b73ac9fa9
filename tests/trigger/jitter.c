/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitter dump DIR | map | memfd: makes code in memory at run time, says so as JIT compilers do, and
 * runs it.
 *
 *   dump   in DIR/jit-PID.dump, which it maps: two functions; then one is moved, and where another
 *          was comes a new one; with lines of their source
 *   map    in /tmp/perf-PID.map
 *   memfd  as map, with the code in a file in memory
 *
 * The code calls leaf() through a frame of its own.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sum;

__attribute__((noipa)) void leaf(unsigned n)
{
	sum += n;
}

/* push %rbp; mov %rsp,%rbp; movabs $leaf,%rax; call *%rax; pop %rbp; ret */
static const unsigned char code[] = {
	0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xd0, 0x5d, 0xc3,
};
#define CODE_BYTES  32
#define PAGE        4096

static unsigned char *memory;
static FILE *map, *dump;

static void put(unsigned at)
{
	uint64_t to = (uintptr_t)leaf;

	memcpy(memory + at, code, sizeof(code));
	memcpy(memory + at + 6, &to, sizeof(to));
}

static void call(unsigned at, unsigned n)
{
	((void (*)(unsigned))(uintptr_t)(memory + at))(n);
	__asm__ volatile("" ::: "memory");
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Records of linux/tools/perf/Documentation/jitdump-specification.txt. */
static void tell(uint32_t id, const void *body, size_t len, const char *name)
{
	size_t text = name ? strlen(name) + 1 : 0, bytes = name ? CODE_BYTES : 0;
	struct { uint32_t id, size; uint64_t time; } head = { id, 16 + len + text + bytes, now() };

	fwrite(&head, sizeof(head), 1, dump);
	fwrite(body, len, 1, dump);
	fwrite(name, text, 1, dump);
	fwrite(memory, bytes, 1, dump);
	fflush(dump);
}

/* The code at `at` comes from made.js: its begin from `line`, from the call on the next line. */
static void tell_lines(unsigned at, unsigned line)
{
	struct { uint64_t addr; uint32_t line, discrim; } row = {
		(uintptr_t)(memory + at), line, 0,
	};
	char body[128];
	uint64_t begin[2] = { row.addr, 2 };
	size_t n = sizeof(begin);

	memcpy(body, begin, n);
	memcpy(body + n, &row, sizeof(row));
	n += sizeof(row);
	n += sprintf(body + n, "/shop/made.js") + 1;
	row.addr += 14;
	row.line++;
	memcpy(body + n, &row, sizeof(row));
	n += sizeof(row);
	n += sprintf(body + n, "\xff") + 1;              /* as before */
	tell(2, body, n, NULL);
}

static void load(unsigned at, uint64_t index, const char *name)
{
	uint64_t addr = (uintptr_t)(memory + at);
	struct { uint32_t pid, tid; uint64_t vma, addr, size, index; } r = {
		getpid(), getpid(), addr, addr, CODE_BYTES, index,
	};

	put(at);
	if (dump) {
		tell_lines(at, 10 * (unsigned)index);
		tell(0, &r, sizeof(r), name);
	}
	if (map) {
		fprintf(map, "%lx %x %s\n", (unsigned long)addr, CODE_BYTES, name);
		fflush(map);
	}
}

static void move(unsigned from, unsigned to, uint64_t index)
{
	uint64_t a = (uintptr_t)(memory + from), b = (uintptr_t)(memory + to);
	struct { uint32_t pid, tid; uint64_t vma, from, to, size, index; } r = {
		getpid(), getpid(), b, a, b, CODE_BYTES, index,
	};

	put(to);
	tell(1, &r, sizeof(r), NULL);
}

static int open_dump(const char *dir)
{
	struct { uint32_t magic, version, size, machine, pad, pid; uint64_t time, flags; } head = {
		0x4a695444, 1, 40, 62, 0, getpid(), now(), 0,
	};
	char path[256];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, getpid());
	dump = fopen(path, "w+");
	if (!dump)
		return 1;
	fwrite(&head, sizeof(head), 1, dump);
	fflush(dump);
	/* Tracers find the file by this mapping. */
	return mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int fd = !strcmp(how, "memfd") ? memfd_create("code", 0) : -1;
	char path[64];

	if (fd >= 0 && ftruncate(fd, PAGE))
		return 1;
	memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		      fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED || (!strcmp(how, "dump") && open_dump(argv[2])))
		return 1;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	if (!dump)
		map = fopen(path, "w");
	if (!dump && !map)
		return 1;
	load(0, 1, "first");
	load(64, 2, "second");
	call(0, 1);
	call(64, 2);
	usleep(300000);                  /* the tracer looks */
	if (dump) {
		move(64, 128, 2);
		call(128, 3);
		load(256, 3, "third");
		load(256, 4, "fourth");  /* where the third one was */
		call(256, 4);
	}
	if (map)
		unlink(path);
	return 0;
}
