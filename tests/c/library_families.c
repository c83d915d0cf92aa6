// Each family of functions that hide something: another thread uses one of it in between.
// expect: time violated
// expect: text violated
// expect: user violated
// expect: group violated
// expect: host violated
// expect: service violated
// expect: protocol violated
// expect: address violated
// expect: locale violated
// expect: messages violated
// expect: option violated
// expect: gamma violated
// expect: environment violated
// expect: zone violated
// expect: token violated
// expect: letter violated
// race: 66 105
// race: 66 117
// race: 67 105
// race: 67 117
// race: 68 106
// race: 69 107
// race: 70 108
// race: 71 109
// race: 72 110
// race: 73 111
// race: 74 112
// race: 75 113
// race: 76 114
// race: 77 115
// race: 78 116
// race: 79 105
// race: 79 117
// race: 80 103
// race: 80 118
// race: 81 119
#include "two.h"

#include <arpa/inet.h>
#include <grp.h>
#include <libintl.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern int signgam;
extern char **environ;

#define BLOCK(name, use, look)   \
  static int name##_used;        \
  static void use_##name(void) { \
    ATOMIC_BEGIN(#name);         \
    use;                         \
    name##_used = look;          \
    ATOMIC_END();                \
  }

static const time_t now = 0;

BLOCK(time, const struct tm *t = gmtime(&now), t->tm_sec)
BLOCK(text, const char *t = ctime(&now), t[0])
BLOCK(user, const struct passwd *p = getpwnam("root"), p->pw_uid != 0)
BLOCK(group, const struct group *g = getgrgid(0), g->gr_gid != 0)
BLOCK(host, const struct hostent *h = gethostbyname("a"), h->h_length)
BLOCK(service, const struct servent *s = getservbyname("http", "tcp"), s->s_port)
BLOCK(protocol, const struct protoent *p = getprotobyname("tcp"), p->p_proto)
BLOCK(address, const char *a = inet_ntoa((struct in_addr){0}), a[0])
BLOCK(locale, const struct lconv *l = localeconv(), l->decimal_point[0])
BLOCK(messages, textdomain("a"), gettext("b") != NULL)
BLOCK(option, opterr = 0, optind)
BLOCK(gamma, lgamma(-0.5), signgam)
BLOCK(environment, setenv("A", "1", 1), environ[0] != NULL)
BLOCK(zone, tzset(), tzname[0] != NULL)
BLOCK(token, strtok(NULL, " "), strtok(NULL, " ") != NULL)
BLOCK(letter, mblen(NULL, 0), mblen("a", 1))

static void first(void) {
  use_time();
  use_text();
  use_user();
  use_group();
  use_host();
  use_service();
  use_protocol();
  use_address();
  use_locale();
  use_messages();
  use_option();
  use_gamma();
  use_environment();
  use_zone();
  use_token();
  use_letter();
}

static void second(void) {
  char argument[4] = "-a", *arguments[2] = {argument, NULL};
  struct tm broken;
  (void)localtime(&now);
  (void)getpwuid(1);
  (void)getgrnam("a");
  (void)gethostbyaddr("abcd", 4, AF_INET);
  (void)getservbyport(80, NULL);
  (void)getprotobynumber(1);
  (void)inet_ntoa((struct in_addr){1});
  (void)setlocale(LC_ALL, "C");
  (void)textdomain("b");
  (void)getopt(1, arguments, "a");
  (void)lgamma(0.5);
  (void)unsetenv("A");
  (void)localtime_r(&now, &broken);
  (void)strtok(argument, "-");
  (void)mblen("b", 1);
}
