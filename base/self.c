#include "base/self.h"

#include <string.h>
#include <unistd.h>

void self_folder(char folder[PATH_MAX]) {
  const ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
  folder[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(folder, '/');
  *(slash ? slash : folder) = '\0';
}
