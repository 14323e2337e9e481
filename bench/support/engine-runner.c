/*
 * Plays a workload of the public matching-engine benchmark on an engine that was built for its C ABI (api/matching_engine_api.h of
 * github.com/flash1-dev/matching-engine-benchmark), as engine-adapter.ts plays it on ours: one thread, every report written to
 * memory whose pages were touched before. The benchmark's own harness hands reports to a second thread instead.
 *
 *   cc -O2 -o engine-runner engine-runner.c -ldl
 *   engine-runner ENGINE.so WORKLOAD.bin REPORTS.bin
 *
 * Writes the reports as they are, 64 bytes each, and prints "messages wall-ns cpu-ns".
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEAD_BYTES = 16, RECORD_BYTES = 40, REPORT_BYTES = 64 };
enum { NEW = 0, CANCEL = 1 };

typedef struct {
  uint64_t id, sequence;
  int64_t price;
  uint32_t quantity;
  uint8_t side, ioc, reserved[2];
} message_t;

typedef struct {
  void *(*create)(uint32_t);
  int (*push)(void *, const void *);
  uint32_t (*drain)(void *, void *, uint32_t);
  void (*flush)(void *);
  void (*destroy)(void *);
} transport_t;

static char *reports;
static size_t reports_end, reports_max;

static void *create(uint32_t capacity) { (void)capacity; return &reports; }
static int push(void *sink, const void *report) {
  (void)sink;
  if (reports_end == reports_max) return 0;
  memcpy(reports + reports_end++ * REPORT_BYTES, report, REPORT_BYTES);
  return 1;
}
static uint32_t drain(void *sink, void *out, uint32_t max) { (void)sink, (void)out, (void)max; return 0; }
static void flush(void *sink) { (void)sink; }
static void destroy(void *sink) { (void)sink; }
static const transport_t transport = {create, push, drain, flush, destroy};

static void fail(const char *what) {
  fprintf(stderr, "engine-runner: %s\n", what);
  exit(1);
}

static void *symbol(void *engine, const char *name) {
  void *found = dlsym(engine, name);
  if (found == NULL) fail(dlerror());
  return found;
}

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The messages of a file, each as the ABI's struct of its type; `types` gets their types. */
static message_t *read_messages(const char *path, uint32_t *count, uint8_t **types) {
  unsigned char head[HEAD_BYTES], record[RECORD_BYTES];
  FILE *file = fopen(path, "rb");
  if (file == NULL || fread(head, HEAD_BYTES, 1, file) != 1) fail("cannot read the workload");
  memcpy(count, head + 12, 4);
  message_t *messages = calloc(*count, sizeof(message_t));
  *types = malloc(*count);
  for (uint32_t i = 0; i < *count; i++) {
    if (fread(record, RECORD_BYTES, 1, file) != 1) fail("the workload is too short");
    message_t *message = &messages[i];
    (*types)[i] = record[0];
    memcpy(&message->id, record + 16, 8);
    memcpy(&message->sequence, record + 8, 8);
    if (record[0] == CANCEL) continue;
    memcpy(&message->price, record + 24, 8);
    memcpy(&message->quantity, record + 4, 4);
    message->side = record[1];
    if (record[0] == NEW) message->ioc = record[2];
  }
  fclose(file);
  return messages;
}

int main(int argc, char **argv) {
  if (argc != 4) fail("expected ENGINE.so WORKLOAD.bin REPORTS.bin");
  uint32_t count;
  uint8_t *types;
  message_t *messages = read_messages(argv[2], &count, &types);
  void *engine = dlopen(argv[1], RTLD_NOW);
  if (engine == NULL) fail(dlerror());
  void (*init)(uint64_t, const transport_t *, void *) = symbol(engine, "engine_init");
  void (*place)(const message_t *) = symbol(engine, "engine_on_new_order");
  void (*cancel)(const message_t *) = symbol(engine, "engine_on_cancel");
  void (*modify)(const message_t *) = symbol(engine, "engine_on_modify");
  void (*flush_engine)(void) = symbol(engine, "engine_flush");
  void (*prebuild)(uint8_t, const void *) = dlsym(engine, "engine_prebuild");
  reports_max = (size_t)count * 2 + 1024;
  reports = malloc(reports_max * REPORT_BYTES);
  memset(reports, 1, reports_max * REPORT_BYTES);
  init(1, &transport, &reports);
  if (prebuild != NULL) for (uint32_t i = 0; i < count; i++) prebuild(types[i], &messages[i]);
  uint64_t wall = nanoseconds(CLOCK_MONOTONIC), cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  for (uint32_t i = 0; i < count; i++) {
    if (types[i] == NEW) place(&messages[i]);
    else if (types[i] == CANCEL) cancel(&messages[i]);
    else modify(&messages[i]);
  }
  flush_engine();
  wall = nanoseconds(CLOCK_MONOTONIC) - wall;
  cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
  FILE *out = fopen(argv[3], "wb");
  if (out == NULL || fwrite(reports, REPORT_BYTES, reports_end, out) != reports_end || fclose(out) != 0) fail("cannot write the reports");
  printf("%u %llu %llu\n", count, (unsigned long long)wall, (unsigned long long)cpu);
  return 0;
}
