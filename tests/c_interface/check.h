/* What the programs of this folder tell by. */
#include <boardwright.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                                                     \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                        \
      ++failures;                                                                                            \
    }                                                                                                        \
  } while (0)

/* A call that fails with this status and a text that holds these words. */
#define REFUSED(expected, words, call)                                                                       \
  do {                                                                                                       \
    char* error = NULL;                                                                                      \
    const bw_status status = (call);                                                                         \
    CHECK(status == (expected));                                                                             \
    CHECK(error != NULL && strstr(error, (words)) != NULL);                                                  \
    if (error != NULL && strstr(error, (words)) == NULL) fprintf(stderr, "  it says: %s\n", error);          \
    bw_free(error);                                                                                          \
  } while (0)

#define WORKS(call)                                                                                          \
  do {                                                                                                       \
    char* error = (char*)"untouched";                                                                        \
    const bw_status status = (call);                                                                         \
    CHECK(status == BW_OK);                                                                                  \
    CHECK(error == NULL);                                                                                    \
    if (status != BW_OK) {                                                                                   \
      fprintf(stderr, "  it says: %s\n", error ? error : "nothing");                                         \
      bw_free(error);                                                                                        \
    }                                                                                                        \
  } while (0)
