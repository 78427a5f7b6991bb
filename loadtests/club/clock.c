/* The time of day of a process, moved by what stands in a file of eight bytes: nanoseconds. Loaded before all else
   (LD_PRELOAD); SIMULATED_CLOCK names the file, which is mapped, so that a look at the clock costs what it always does.
   Clocks that count on go as they do. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <dlfcn.h>

static const int64_t S_NS = 1000000000;
static const int64_t nothing = 0;
static const volatile int64_t *ahead_ns = &nothing;
static int (*looked)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("SIMULATED_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *mapped = mmap(NULL, sizeof *ahead_ns, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED)
        ahead_ns = mapped;
}

int clock_gettime(clockid_t id, struct timespec *at)
{
    if (!looked)
        looked = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = looked ? looked(id, at) : (int)syscall(SYS_clock_gettime, id, at);
    if (!failed && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) {
        int64_t ns = at->tv_sec * S_NS + at->tv_nsec + *ahead_ns;
        at->tv_sec = ns / S_NS;
        at->tv_nsec = ns % S_NS;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
