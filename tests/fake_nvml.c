/* A stand-in for NVIDIA's libnvidia-ml.so.1. Each call reads its answer from the file that
 * FAKE_NVML names: lines "key value", such as "util.0 40", and "util.0.error 3" for an error of
 * that number. A test rewrites the file while the library is in use. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int find(const char *key, char *value, size_t size) {
  const char *path = getenv("FAKE_NVML");
  FILE *file = path ? fopen(path, "r") : NULL;
  char name[64], text[512];
  int found = 0;
  if (!file) return 0;
  while (fscanf(file, "%63s %511s", name, text) == 2) {
    if (strcmp(name, key) == 0) {
      snprintf(value, size, "%s", text);
      found = 1;
    }
  }
  fclose(file);
  return found;
}

static double number(const char *key, double otherwise) {
  char text[512];
  return find(key, text, sizeof text) ? atof(text) : otherwise;
}

static long device_of(void *handle) { return (long)handle - 1; }

static void key_of(char *key, const char *what, void *handle) {
  snprintf(key, 64, "%s.%ld", what, device_of(handle));
}

/* Success, or the error that is to be given: of the whole GPU, or of this question. */
static int state(const char *what, void *handle) {
  char key[64];
  int error;
  snprintf(key, 64, "gpu.%ld.error", device_of(handle));
  if ((error = (int)number(key, 0))) return error;
  snprintf(key, 64, "%s.%ld.error", what, device_of(handle));
  return (int)number(key, 0);
}

static double value(const char *what, void *handle) {
  char key[64];
  key_of(key, what, handle);
  return number(key, 0);
}

int nvmlInitWithFlags(unsigned flags) {
  struct timespec wait = {(time_t)number("init.seconds", 0), 0};
  (void)flags;
  nanosleep(&wait, NULL);
  return (int)number("init.error", 0);
}

int nvmlShutdown(void) { return 0; }

const char *nvmlErrorString(int error) { return error == 999 ? "Unknown Error" : "An error"; }

int nvmlDeviceGetCount_v2(unsigned *count) {
  *count = (unsigned)number("count", 1);
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **handle) {
  *handle = (void *)((long)index + 1);
  return state("handle", *handle);
}

int nvmlDeviceGetName(void *handle, char *name, unsigned length) {
  snprintf(name, length, "Fake GPU %c", (char)('A' + device_of(handle)));
  return state("name", handle);
}

struct memory { unsigned long long total, free, used; };

int nvmlDeviceGetMemoryInfo(void *handle, struct memory *memory) {
  memory->total = 16000000000ULL;
  memory->used = (unsigned long long)value("memory", handle);
  memory->free = memory->total - memory->used;
  return state("memory", handle);
}

struct rates { unsigned gpu, memory; };

int nvmlDeviceGetUtilizationRates(void *handle, struct rates *rates) {
  rates->gpu = (unsigned)value("util", handle);
  rates->memory = 0;
  return state("util", handle);
}

int nvmlDeviceGetPowerUsage(void *handle, unsigned *milliwatts) {
  *milliwatts = (unsigned)(1000 * value("power", handle));
  return state("power", handle);
}

/* The counter goes at the power, from an amount that has nothing to do with the cell. */
int nvmlDeviceGetTotalEnergyConsumption(void *handle, unsigned long long *millijoules) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  *millijoules = (unsigned long long)(
      (5e6 + (double)now.tv_sec + 1e-9 * (double)now.tv_nsec) * 1000 * value("power", handle));
  return state("energy", handle);
}

int nvmlDeviceGetTemperature(void *handle, unsigned sensor, unsigned *celsius) {
  (void)sensor;
  *celsius = (unsigned)value("temperature", handle);
  return state("temperature", handle);
}

struct process {
  unsigned pid;
  unsigned long long used;
  unsigned gpu_instance, compute_instance;
};

/* "pids.0 12:5000,13:-": a process id and its memory each, "-" for a memory that is not told. */
int nvmlDeviceGetComputeRunningProcesses_v3(void *handle, unsigned *count, struct process *found) {
  char key[64], text[512] = "";
  unsigned room = *count, number_of = 0;
  int error = state("pids", handle);
  char *word, *rest = text;
  if (error) return error;
  key_of(key, "pids", handle);
  find(key, text, sizeof text);
  while ((word = strtok_r(rest, ",", &rest))) {
    if (found && number_of < room) {
      char *memory = strchr(word, ':') + 1;
      memset(&found[number_of], 0, sizeof *found);
      found[number_of].pid = (unsigned)atoi(word);
      found[number_of].used = *memory == '-' ? ~0ULL : strtoull(memory, NULL, 10);
    }
    number_of++;
  }
  *count = number_of;
  return number_of > (found ? room : 0) ? 7 : 0;
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(void *handle, unsigned *count, void *found) {
  (void)handle;
  (void)found;
  *count = 0;
  return 0;
}
