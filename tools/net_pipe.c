#include "tools/net_pipe.h"

#include "petri/net_io.h"

#include <sys/stat.h>
#include <unistd.h>

void net_pipe_fail(const Tool *tool) {
  struct stat out, messages;
  if (fstat(STDOUT_FILENO, &out) != 0 || !S_ISFIFO(out.st_mode)) return;
  const bool told = fstat(STDERR_FILENO, &messages) == 0;
  if (told && out.st_dev == messages.st_dev && out.st_ino == messages.st_ino) return;
  fputs(net_absence(tool->exit_code == EXIT_UNKNOWN ? ERR_LIMIT : ERR_INPUT), stdout);
  fflush(stdout);
}
