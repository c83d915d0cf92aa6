/* raytracer.c: renders 64 spheres: `raytracer [THREADS [SIZE]]`; after the program of that name of the Java Grande
 * benchmarks (multithreaded, section 3), with its bug.
 *
 * A picture has SIZE x SIZE pixels. Each thread has its own copy of the scene, renders every n-th row, and adds the sum
 * of its pixels to the checksum of the picture. It holds the lock of the scene then, but that of its own copy, which
 * excludes no one. If two threads add at the same time, the part of one of them is lost.
 *
 * Transactions: `render`, a thread's work for a picture. Violated, and a real error: one thread reads the checksum,
 * another one adds to it, and the first one writes it. The window is a few instructions wide, and threads hardly ever
 * meet in it: so they gather at a barrier first, and one that has read the checksum yields. */
// expect: violated
// result: varies
// run: 4 20
// run: 10 30
#include <causal.h>

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 4, N_SPHERES = SIDE * SIDE * SIDE, MIRRORS = 3 };

typedef struct {
  double x, y, z;
} Vector;

typedef struct {
  Vector from, direction; /* of length 1 */
} Ray;

typedef struct {
  Vector centre;
  double radius;
  double colour; /* 0 to 1 */
} Sphere;

typedef struct {
  pthread_mutex_t lock;
  Vector light;
  Sphere spheres[N_SPHERES];
} Scene;

static int n_threads, size;
static long checksum;
static pthread_barrier_t barrier;

/* ---- vectors ---- */

static Vector along(Vector a, double t, Vector b) { return (Vector){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z}; }
static double product(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Vector unit(Vector a) { return along((Vector){0}, 1 / sqrt(product(a, a)), a); }

/* ---- the scene ---- */

static Scene *make_scene(void) {
  Scene *scene = malloc(sizeof *scene);
  if (!scene) exit(3);
  pthread_mutex_init(&scene->lock, NULL);
  scene->light = unit((Vector){1, 2, -1.5});
  for (int i = 0; i < N_SPHERES; i++) {
    const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
    scene->spheres[i] = (Sphere){{x - 1.5 + 0.3 * z, y - 1.5, z + 0.2 * x}, 0.3 + 0.03 * z, (1 + x + y) / (2.0 * SIDE)};
  }
  return scene;
}

static void free_scene(Scene *scene) {
  pthread_mutex_destroy(&scene->lock);
  free(scene);
}

/* The way to the sphere, or INFINITY. */
static double distance_to(const Sphere *sphere, const Ray *ray) {
  const Vector to = along(sphere->centre, -1, ray->from);
  const double middle = product(to, ray->direction);
  const double root = middle * middle - product(to, to) + sphere->radius * sphere->radius;
  return root < 0 || middle - sqrt(root) < 1e-6 ? INFINITY : middle - sqrt(root);
}

static const Sphere *first_hit(const Scene *scene, const Ray *ray, double *distance) {
  const Sphere *first = NULL;
  *distance = INFINITY;
  for (int i = 0; i < N_SPHERES; i++) {
    const double d = distance_to(&scene->spheres[i], ray);
    if (d >= *distance) continue;
    *distance = d;
    first = &scene->spheres[i];
  }
  return first;
}

/* ---- light ---- */

/* What comes back along the ray, 0 to 1: half from the light, if nothing is in its way, and half from what is mirrored. */
static double brightness(const Scene *scene, const Ray *ray, int mirrors) {
  double distance, shade_distance;
  const Sphere *sphere = first_hit(scene, ray, &distance);
  if (!sphere) return 0.2;
  const Vector at = along(ray->from, distance, ray->direction);
  const Vector normal = unit(along(at, -1, sphere->centre));
  const Ray to_light = {at, scene->light};
  const double slant = product(normal, scene->light);
  double light = 0.1;
  if (slant > 0 && !first_hit(scene, &to_light, &shade_distance)) light += 0.9 * slant;
  if (mirrors == 0) return sphere->colour * light;
  const Ray mirrored = {at, along(ray->direction, -2 * product(normal, ray->direction), normal)};
  return sphere->colour * (light + brightness(scene, &mirrored, mirrors - 1)) / 2;
}

/* 0 to 255. */
static int pixel(const Scene *scene, int column, int row, int n) {
  const Ray ray = {{0, 0, -6}, unit((Vector){(column + 0.5) / n - 0.5, (row + 0.5) / n - 0.5, 1})};
  return (int)(255 * brightness(scene, &ray, MIRRORS));
}

static long render_rows(const Scene *scene, int from) {
  const int n = size, step = n_threads;
  long sum = 0;
  for (int row = from; row < n; row += step)
    for (int column = 0; column < n; column++) sum += pixel(scene, column, row, n);
  return sum;
}

/* ---- threads ---- */

/* Here is the bug: the lock is that of the thread's own scene. */
static void add_to_checksum(Scene *scene, long sum) {
  pthread_mutex_lock(&scene->lock);
  const long before = checksum;
  sched_yield();
  checksum = before + sum;
  pthread_mutex_unlock(&scene->lock);
}

static void render(Scene *scene, int from) {
  ATOMIC_BEGIN("render");
  const long sum = render_rows(scene, from);
  pthread_barrier_wait(&barrier);
  add_to_checksum(scene, sum);
  ATOMIC_END();
}

static void *work(void *number) {
  Scene *scene = make_scene();
  render(scene, (int)(intptr_t)number);
  free_scene(scene);
  return NULL;
}

/* The calling thread is the first worker. */
static void render_picture(void) {
  pthread_t *threads = calloc((size_t)n_threads, sizeof *threads);
  if (!threads) exit(3);
  pthread_barrier_init(&barrier, NULL, (unsigned)n_threads);
  for (int i = 1; i < n_threads; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i)) exit(3);
  work(NULL);
  for (int i = 1; i < n_threads; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  free(threads);
}

/* By one thread. */
static long right_checksum(void) {
  Scene *scene = make_scene();
  long sum = 0;
  for (int i = 0; i < n_threads; i++) sum += render_rows(scene, i);
  free_scene(scene);
  return sum;
}

int main(int argc, char **argv) {
  n_threads = argc > 1 ? atoi(argv[1]) : 10;
  size = argc > 2 ? atoi(argv[2]) : 60;
  if (argc > 3 || n_threads < 1 || size < 1) {
    fprintf(stderr, "usage: raytracer [THREADS [SIZE]]\n");
    return 3;
  }
  const long right = right_checksum();
  render_picture();
  printf("%ld, %s: it is %ld\n", checksum, checksum == right ? "right" : "wrong", right);
  return 0;
}
