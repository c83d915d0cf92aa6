/* Children are not recorded, and that is said.
 * stderr: a child of the recorded one, is not recorded
 * stderr: is not recorded: the log belongs to process [0-9]+
 * not: w\(in_child\)
 * has: w\(after\)
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int in_child, after;

static void *work(void *argument) {
  after += in_child + 1;
  return argument;
}

int main(int argc, char **argv) {
  int status;
  pthread_t thread;
  if (argc > 1) {
    printf("executed %s\n", argv[1]);
    return 5;
  }
  const pid_t pid = fork();
  if (pid == 0) {
    in_child = 1;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    execl(argv[0], argv[0], "again", (char *)NULL);
    _exit(1);
  }
  waitpid(pid, &status, 0);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  after++;
  printf("%d %d\n", WEXITSTATUS(status), after);
  return 0;
}
