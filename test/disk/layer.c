/*
 * A file layer that fails when it is asked to, for tests: loaded before the C library (LD_PRELOAD), so that SQLite's own
 * calls fail as well as Node's. It counts the calls that change something in the folder DISK_UNDER, and fails the one
 * that the state in the file DISK_STATE names (layer.ts writes and reads it). Or it stops the process in front of that one.
 */
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
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FAULT_EIO = 1, FAULT_SHORT = 2, FAULT_FULL = 3, FAULT_DEAD = 4, STOP = 5 };
enum { OP_OPEN = 1, OP_WRITE, OP_SYNC, OP_TRUNCATE, OP_RENAME, OP_LINK, OP_UNLINK, OP_MKDIR };

typedef struct {
  atomic_int nth;   /* fails; 0: none, only counts */
  atomic_int fault;
  atomic_int calls;
  atomic_int hits;
  atomic_int op;    /* the first that was failed */
  atomic_int half;  /* file whose next write fails as well, + 1 */
} State;

#define MOST_FILES 4096
static State *state;
static const char *under;
static size_t under_length;
static atomic_char counted[MOST_FILES];

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("DISK_STATE");
  under = getenv("DISK_UNDER");
  if (!file || !under) return;
  under_length = strlen(under);
  int fd = REAL(open)(file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *at = mmap(NULL, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  REAL(close)(fd);
  if (at != MAP_FAILED) state = at;
}

static int isUnder(const char *path) {
  return state && path && strncmp(path, under, under_length) == 0 && path[under_length] == '/';
}

static int isCounted(int fd) {
  return state && fd >= 0 && fd < MOST_FILES && counted[fd];
}

/* What this call is to fail with; 0: it succeeds, -1: it takes a part. */
static int faultOf(int op, int fd) {
  int call = atomic_fetch_add(&state->calls, 1) + 1;
  int nth = state->nth, fault = state->fault;
  if (nth == 0 || call < nth) return 0;
  int isIt = call == nth;
  if (!isIt && fault == FAULT_SHORT && op == OP_WRITE && state->half == fd + 1) {
    state->half = 0;
    return ENOSPC;
  }
  if (isIt && fault == STOP) kill(getpid(), SIGSTOP);
  if (fault == STOP) return 0;
  if (!isIt && fault != FAULT_FULL && fault != FAULT_DEAD) return 0;
  /* A full disk still lets names be changed and taken away. */
  int fills = op == OP_OPEN || op == OP_WRITE || op == OP_TRUNCATE || op == OP_LINK || op == OP_MKDIR;
  if (fault == FAULT_FULL && !fills) return 0;
  if (atomic_fetch_add(&state->hits, 1) == 0) state->op = op;
  if (fault == FAULT_SHORT && op == OP_WRITE) {
    state->half = fd + 1;
    return -1;
  }
  return fault == FAULT_SHORT || fault == FAULT_FULL ? ENOSPC : EIO;
}

#define FAIL_IF(condition, op, fd) do { \
    int fault = (condition) ? faultOf(op, fd) : 0; \
    if (fault > 0) { errno = fault; return -1; } \
  } while (0)

static int opened(int fd, const char *path) {
  if (fd >= 0 && fd < MOST_FILES) counted[fd] = isUnder(path);
  return fd;
}

static int writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

#define OPEN(name) int name(const char *path, int flags, ...) { \
    va_list more; va_start(more, flags); \
    int mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, int) : 0; \
    va_end(more); \
    FAIL_IF(isUnder(path) && writes(flags), OP_OPEN, -1); \
    return opened(REAL(name)(path, flags, mode), path); \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  if (fd >= 0 && fd < MOST_FILES) counted[fd] = 0;
  return REAL(close)(fd);
}

#define WRITE(call, half) do { \
    int fault = isCounted(fd) ? faultOf(OP_WRITE, fd) : 0; \
    if (fault > 0) { errno = fault; return -1; } \
    if (fault < 0) return half; \
    return call; \
  } while (0)

ssize_t write(int fd, const void *bytes, size_t length) {
  WRITE(REAL(write)(fd, bytes, length), REAL(write)(fd, bytes, length / 2));
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  WRITE(REAL(pwrite)(fd, bytes, length, at), REAL(pwrite)(fd, bytes, length / 2, at));
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
  WRITE(REAL(pwrite64)(fd, bytes, length, at), REAL(pwrite64)(fd, bytes, length / 2, at));
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  WRITE(REAL(writev)(fd, parts, count), REAL(write)(fd, parts[0].iov_base, parts[0].iov_len / 2));
}
ssize_t sendfile64(int fd, int from, off64_t *at, size_t length) {
  WRITE(REAL(sendfile64)(fd, from, at, length), REAL(sendfile64)(fd, from, at, length / 2));
}
ssize_t sendfile(int fd, int from, off_t *at, size_t length) {
  WRITE(REAL(sendfile)(fd, from, at, length), REAL(sendfile)(fd, from, at, length / 2));
}

/* libuv copies files by the number of the call. */
long syscall(long number, ...) {
  va_list more;
  va_start(more, number);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(more, long);
  va_end(more);
  FAIL_IF(number == SYS_copy_file_range && isCounted((int)a[2]), OP_WRITE, (int)a[2]);
  return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int fsync(int fd) { FAIL_IF(isCounted(fd), OP_SYNC, fd); return REAL(fsync)(fd); }
int fdatasync(int fd) { FAIL_IF(isCounted(fd), OP_SYNC, fd); return REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t length) { FAIL_IF(isCounted(fd), OP_TRUNCATE, fd); return REAL(ftruncate)(fd, length); }
int ftruncate64(int fd, off64_t length) { FAIL_IF(isCounted(fd), OP_TRUNCATE, fd); return REAL(ftruncate64)(fd, length); }
int rename(const char *from, const char *to) { FAIL_IF(isUnder(to), OP_RENAME, -1); return REAL(rename)(from, to); }
int link(const char *from, const char *to) { FAIL_IF(isUnder(to), OP_LINK, -1); return REAL(link)(from, to); }
int unlink(const char *path) { FAIL_IF(isUnder(path), OP_UNLINK, -1); return REAL(unlink)(path); }
int remove(const char *path) { FAIL_IF(isUnder(path), OP_UNLINK, -1); return REAL(remove)(path); }
int rmdir(const char *path) { FAIL_IF(isUnder(path), OP_UNLINK, -1); return REAL(rmdir)(path); }
int mkdir(const char *path, mode_t mode) { FAIL_IF(isUnder(path), OP_MKDIR, -1); return REAL(mkdir)(path, mode); }
