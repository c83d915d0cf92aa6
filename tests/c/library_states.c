// What has a state of its own is told apart from what is hidden: directories, conversions, environments that are read.
// expect: own atomic
// expect: directory violated
// expect: conversion violated
// expect: state violated
// expect: environment violated
// expect: read atomic
// expect: memory violated
// race: 35 35
// race: 55 82
// race: 56 83
// race: 57 87
// race: 59 82
// race: 66 84
// race: 67 84
// race: 70 85
// race: 76 87
#include "two.h"

#include <dirent.h>
#include <iconv.h>
#include <langinfo.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <wchar.h>

static DIR *directory;
static iconv_t conversion;
static char *page;
static wchar_t wide;

static void convert(iconv_t to) {
  char text[2] = "a", *in = text, out[8], *at = out;
  size_t left = 1, room = sizeof out;
  iconv(to, &in, &left, &at, &room);
}

static void use_own(void) {
  DIR *const mine = opendir("/");
  const iconv_t to = iconv_open("UTF-8", "ASCII");
  mbstate_t state = {0};
  wchar_t letter;
  int n = 0;
  ATOMIC_BEGIN("own");
  if (readdir(mine)) n += readdir(mine)->d_name[0];
  convert(to);
  convert(to);
  mbrtowc(&letter, "a", 1, &state);
  mbrtowc(&letter, "b", 1, &state);
  ATOMIC_END();
}

static void first(void) {
  use_own();
  directory = opendir("/");
  conversion = iconv_open("UTF-8", "ASCII");
  page = malloc(8192);
  ATOMIC_BEGIN("directory");
  if (readdir(directory)) readdir(directory);
  ATOMIC_END();
  ATOMIC_BEGIN("conversion");
  convert(conversion);
  convert(conversion);
  ATOMIC_END();
  ATOMIC_BEGIN("state");
  mbrtowc(&wide, "a", 1, NULL);
  mbrtowc(&wide, "b", 1, NULL);
  ATOMIC_END();
  ATOMIC_BEGIN("environment");
  if (!getenv("A")) setenv("A", "1", 1);
  ATOMIC_END();
  ATOMIC_BEGIN("read");
  if (nl_langinfo(CODESET)) nl_langinfo(RADIXCHAR);
  ATOMIC_END();
  ATOMIC_BEGIN("memory");
  if (page[0]) page[0] = page[1];
  ATOMIC_END();
}

static void second(void) {
  use_own();
  readdir(directory);
  convert(conversion);
  mbrtowc(&wide, "c", 1, NULL);
  (void)getenv("A");
  (void)nl_langinfo(CODESET);
  madvise(page, 4096, MADV_DONTNEED);
}
