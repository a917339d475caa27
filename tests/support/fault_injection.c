// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Loaded with LD_PRELOAD by scripts/campaign: counts a program's file calls below one folder, and makes one of them
// fail or be the last. Writes inside stdio stay in the C library and are not seen; what Trellis writes to its folder
// goes through write and pwrite.
//
//   FAULT_FOLDER  full path; without it nothing happens
//   FAULT_LOG     each call adds a line: rank, number, name, path
//   FAULT_RANK    only this rank of an MPI job (all)
//   FAULT_AT      the number of the call, from 1; hits the first one from there on whose name is in FAULT_CALLS
//   FAULT_CALLS   names, each surrounded by commas: ",write,fsync,"
//   FAULT_KIND    kill: SIGKILL before the call; half: after half the bytes of a write; lie: a write loses one bit;
//                 otherwise a number: errno
//   FAULT_ALWAYS  if set: not once, but from there on
//   FAULT_DONE    a file that is created when the fault happens
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum Action { go, stop_half, lie, refuse };

static atomic_long calls;
static atomic_int fired;

static int mine(void) {
  const char* wanted = getenv("FAULT_RANK");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  return wanted == NULL || rank == NULL || strcmp(wanted, rank) == 0;
}

static void note(const char* variable, const char* text) {
  const char* file = getenv(variable);
  if (file == NULL) return;
  const long fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return;
  syscall(SYS_write, fd, text, strlen(text));
  syscall(SYS_close, fd);
}

// Decides what happens to this call; `path` is the full path.
static enum Action judge(const char* name, const char* path) {
  const char* folder = getenv("FAULT_FOLDER");
  if (folder == NULL || strncmp(path, folder, strlen(folder)) != 0) return go;
  const int before = errno;
  const long number = atomic_fetch_add(&calls, 1) + 1;
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  char line[5000], word[40];
  snprintf(line, sizeof line, "%s %ld %s %s\n", rank == NULL ? "0" : rank, number, name, path);
  note("FAULT_LOG", line);
  errno = before;
  const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND"), *names = getenv("FAULT_CALLS");
  if (at == NULL || kind == NULL || number < atol(at) || !mine()) return go;
  snprintf(word, sizeof word, ",%s,", name);
  if (names != NULL && strstr(names, word) == NULL) return go;
  if (atomic_exchange(&fired, 1) != 0 && getenv("FAULT_ALWAYS") == NULL) return go;
  note("FAULT_DONE", line);
  if (strcmp(kind, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(kind, "half") == 0) return stop_half;
  if (strcmp(kind, "lie") == 0) return lie;
  errno = atoi(kind);
  return refuse;
}

static enum Action judge_path(const char* name, int at, const char* path) {
  char whole[4200];
  const int before = errno;
  if (path[0] == '/') {
    snprintf(whole, sizeof whole, "%s", path);
  } else {
    char link[40], folder[4096];
    if (at == AT_FDCWD)
      snprintf(link, sizeof link, "/proc/self/cwd");
    else
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    const ssize_t n = readlink(link, folder, sizeof folder - 1);
    folder[n < 0 ? 0 : n] = '\0';
    snprintf(whole, sizeof whole, "%.4000s/%.190s", folder, path);
  }
  errno = before;
  return judge(name, whole);
}

static enum Action judge_descriptor(const char* name, int fd) {
  char link[40], path[4096];
  const int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  errno = before;
  if (n < 0 || path[0] != '/') return go;
  path[n] = '\0';
  return judge(name, path);
}

// The C library's own function, looked up once.
#define REAL(name)                              \
  static __typeof__(name)* real;                \
  if (real == NULL) {                           \
    *(void**)(&real) = dlsym(RTLD_NEXT, #name); \
  }

#define ON_DESCRIPTOR(result, name, called, parameters, arguments, fd) \
  result name parameters {                                             \
    REAL(name)                                                         \
    if (judge_descriptor(called, fd) == refuse) return (result) - 1;   \
    return real arguments;                                             \
  }
#define ON_PATH(result, name, called, parameters, arguments, at, path) \
  result name parameters {                                             \
    REAL(name)                                                         \
    if (judge_path(called, at, path) == refuse) return (result) - 1;   \
    return real arguments;                                             \
  }

// Writes: half a write, or one with a wrong bit, use the system call directly.
static ssize_t half_then_die(int fd, const void* bytes, size_t count, off_t offset) {
  if (offset < 0)
    syscall(SYS_write, fd, bytes, count / 2);
  else
    syscall(SYS_pwrite64, fd, bytes, count / 2, offset);
  kill(getpid(), SIGKILL);
  return -1;
}

static ssize_t with_wrong_bit(int fd, const void* bytes, size_t count, off_t offset) {
  char* copy = malloc(count + 1);
  memcpy(copy, bytes, count);
  if (count > 0) copy[count / 2] ^= 1;
  const long n = offset < 0 ? syscall(SYS_write, fd, copy, count) : syscall(SYS_pwrite64, fd, copy, count, offset);
  free(copy);
  return n;
}

#define WRITING(name, parameters, arguments, bytes, count, offset) \
  ssize_t name parameters {                                        \
    REAL(name)                                                     \
    switch (judge_descriptor("write", fd)) {                       \
      case refuse:                                                 \
        return -1;                                                 \
      case stop_half:                                              \
        return half_then_die(fd, bytes, count, offset);            \
      case lie:                                                    \
        return with_wrong_bit(fd, bytes, count, offset);           \
      default:                                                     \
        return real arguments;                                     \
    }                                                              \
  }
WRITING(write, (int fd, const void* bytes, size_t count), (fd, bytes, count), bytes, count, -1)
WRITING(pwrite, (int fd, const void* bytes, size_t count, off_t offset), (fd, bytes, count, offset), bytes, count,
        offset)
WRITING(pwrite64, (int fd, const void* bytes, size_t count, off64_t offset), (fd, bytes, count, offset), bytes, count,
        offset)
WRITING(writev, (int fd, const struct iovec* parts, int count), (fd, parts, count), parts[0].iov_base, parts[0].iov_len,
        -1)
WRITING(pwritev, (int fd, const struct iovec* parts, int count, off_t offset), (fd, parts, count, offset),
        parts[0].iov_base, parts[0].iov_len, offset)

ON_DESCRIPTOR(ssize_t, read, "read", (int fd, void* bytes, size_t count), (fd, bytes, count), fd)
ON_DESCRIPTOR(ssize_t, pread, "read", (int fd, void* bytes, size_t count, off_t offset), (fd, bytes, count, offset), fd)
ON_DESCRIPTOR(ssize_t, pread64, "read", (int fd, void* bytes, size_t count, off64_t offset), (fd, bytes, count, offset),
              fd)
ON_DESCRIPTOR(ssize_t, readv, "read", (int fd, const struct iovec* parts, int count), (fd, parts, count), fd)
ON_DESCRIPTOR(ssize_t, preadv, "read", (int fd, const struct iovec* parts, int count, off_t offset),
              (fd, parts, count, offset), fd)

ON_DESCRIPTOR(int, fsync, "fsync", (int fd), (fd), fd)
ON_DESCRIPTOR(int, fdatasync, "fsync", (int fd), (fd), fd)
ON_DESCRIPTOR(int, ftruncate, "ftruncate", (int fd, off_t size), (fd, size), fd)
ON_DESCRIPTOR(int, ftruncate64, "ftruncate", (int fd, off64_t size), (fd, size), fd)
ON_DESCRIPTOR(int, fallocate, "fallocate", (int fd, int mode, off_t begin, off_t size), (fd, mode, begin, size), fd)

ON_PATH(int, rename, "rename", (const char* from, const char* to), (from, to), AT_FDCWD, to)
ON_PATH(int, renameat, "rename", (int a, const char* from, int b, const char* to), (a, from, b, to), b, to)
ON_PATH(int, unlink, "unlink", (const char* path), (path), AT_FDCWD, path)
ON_PATH(int, unlinkat, "unlink", (int at, const char* path, int flags), (at, path, flags), at, path)
ON_PATH(int, remove, "unlink", (const char* path), (path), AT_FDCWD, path)
ON_PATH(int, mkdir, "mkdir", (const char* path, mode_t mode), (path, mode), AT_FDCWD, path)
ON_PATH(int, link, "link", (const char* from, const char* to), (from, to), AT_FDCWD, to)
ON_PATH(int, symlink, "link", (const char* from, const char* to), (from, to), AT_FDCWD, to)

static const char* of_flags(int flags) {
  return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0 ? "create" : "open";
}

#define OPENING(name, parameters, at, path, call)                                        \
  int name parameters {                                                                  \
    REAL(name)                                                                           \
    va_list rest;                                                                        \
    va_start(rest, flags);                                                               \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                                        \
    if (judge_path(of_flags(flags), at, path) == refuse) return -1;                      \
    return real call;                                                                    \
  }
OPENING(open, (const char* path, int flags, ...), AT_FDCWD, path, (path, flags, mode))
OPENING(open64, (const char* path, int flags, ...), AT_FDCWD, path, (path, flags, mode))
OPENING(openat, (int at, const char* path, int flags, ...), at, path, (at, path, flags, mode))
OPENING(openat64, (int at, const char* path, int flags, ...), at, path, (at, path, flags, mode))

#define OPENING_STREAM(name)                                                                                 \
  FILE* name(const char* path, const char* mode) {                                                           \
    REAL(name)                                                                                               \
    if (judge_path(strpbrk(mode, "wa+") != NULL ? "create" : "open", AT_FDCWD, path) == refuse) return NULL; \
    return real(path, mode);                                                                                 \
  }
OPENING_STREAM(fopen)
OPENING_STREAM(fopen64)
