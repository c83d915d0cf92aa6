#include "tests/sweep/command.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The tools' own mains, renamed. */
#define TOOL(name) int main_##name(int argc, char **argv);
#include "tools.h"
#undef TOOL

static const struct {
  const char *name;
  int (*main)(int argc, char **argv);
} TOOLS[] = {
#define TOOL(name) {#name, main_##name},
#include "tools.h"
#undef TOOL
};

static int (*tool_of(const char *name))(int, char **) {
  for (size_t i = 0; i < sizeof TOOLS / sizeof *TOOLS; i++)
    if (strcmp(TOOLS[i].name, name) == 0) return TOOLS[i].main;
  return NULL;
}

/* ---- parsing ---- */

bool command_parse(CommandLine *command, const char *line) {
  *command = (CommandLine){.text = strdup(line), .shown = line};
  for (char *word = strtok(command->text, " "); word; word = strtok(NULL, " ")) {
    if (command->argc == MOST_WORDS - 2) return false;
    if (*word == '<') command->input = word + 1;
    else command->argv[command->argc++] = word;
  }
  return command->argc > 0 && tool_of(command->argv[0]);
}

void command_free(CommandLine *command) { free(command->text); }

/* ---- running ---- */

static void redirect(int to, const char *path, int flags) {
  const int file = open(path, flags, 0666);
  if (file < 0 || dup2(file, to) < 0) _exit(126);
  close(file);
}

/* So that memory runs out in earnest. */
static void limit_space(size_t room) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%llu", &pages) != 1) _exit(126);
  fclose(file);
  const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + room;
  setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
}

static void clear_folder(const char *folder) {
  DIR *open_folder = opendir(folder);
  for (const struct dirent *entry; open_folder && (entry = readdir(open_folder));) {
    char path[512];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    unlink(path);
  }
  if (open_folder) closedir(open_folder);
}

enum { SECONDS = 60 };

_Noreturn static void become(const CommandLine *command, const Fault *fault, uint64_t *count) {
  char *argv[MOST_WORDS] = {command->argv[0]};
  int argc = 1;
  if (fault->option) argv[argc++] = (char *)(uintptr_t)fault->option;
  for (int i = 1; i < command->argc; i++) argv[argc++] = command->argv[i];
  setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  redirect(STDIN_FILENO, command->input ? command->input : "/dev/null", O_RDONLY);
  redirect(STDOUT_FILENO, "stdout", O_WRONLY | O_CREAT | O_TRUNC);
  redirect(STDERR_FILENO, "stderr", O_WRONLY | O_CREAT | O_TRUNC);
  if (fault->room) limit_space(fault->room);
  fault_arm(fault->kind, fault->nth, count);
  const int code = tool_of(argv[0])(argc, argv);
  fault_arm(FAULT_NONE, 0, NULL);
  exit(code);
}

/* ---- what is left ---- */

static Content read_content(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return (Content){0};
  fseek(file, 0, SEEK_END);
  const long length = ftell(file);
  rewind(file);
  Content content = {malloc((size_t)length + 1), (size_t)length};
  if (!content.text || fread(content.text, 1, content.length, file) != content.length) abort();
  content.text[length] = '\0';
  fclose(file);
  return content;
}

static void list_files(Outcome *outcome) {
  DIR *folder = opendir("out");
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    char path[512];
    if (entry->d_name[0] == '.') continue;
    if (outcome->n_files == MOST_FILES) {
      outcome->strays = true;
      break;
    }
    snprintf(path, sizeof path, "out/%s", entry->d_name);
    outcome->name[outcome->n_files] = strdup(path);
    outcome->file[outcome->n_files++] = read_content(path);
  }
  if (folder) closedir(folder);
}

static bool is_empty(const char *folder) {
  DIR *open_folder = opendir(folder);
  bool empty = open_folder != NULL;
  for (const struct dirent *entry; open_folder && (entry = readdir(open_folder));) empty &= entry->d_name[0] == '.';
  if (open_folder) closedir(open_folder);
  return empty;
}

void command_run(const CommandLine *command, const Fault *fault, Outcome *outcome) {
  static uint64_t *count;
  if (!count) count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (count == MAP_FAILED) abort();
  *outcome = (Outcome){0};
  *count = 0;
  clear_folder("out");
  clear_folder("tmp");
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) become(command, fault, count);
  if (pid < 0 || waitpid(pid, &outcome->status, 0) < 0) abort();
  outcome->allocations = *count;
  outcome->out = read_content("stdout");
  outcome->err = read_content("stderr");
  list_files(outcome);
  outcome->strays |= !is_empty("tmp");
}

void outcome_free(Outcome *outcome) {
  free(outcome->out.text);
  free(outcome->err.text);
  for (uint32_t i = 0; i < outcome->n_files; i++) {
    free(outcome->name[i]);
    free(outcome->file[i].text);
  }
}
