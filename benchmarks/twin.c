/* Movement and supply of benchmarks/front.py by hand: flat arrays, queues by whole cost, ties to the lower place. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 6, LAKE = 5, MOST = 128 };

typedef struct {
    int places, units;
    const int32_t *near;     /* [places][6], -1 where there is none; ascending */
    const uint8_t *river;    /* [places][6] */
    const uint8_t *road;     /* [places][6] */
    const uint8_t *terrain;  /* [places] */
    const uint8_t *depot;    /* [places]: 1 + side, or 0 */
    const uint8_t *side, *arm, *movement; /* [units] */
    const int32_t *price;    /* [3][6] */
    const int32_t *at;       /* [units] */
} Front;

static uint8_t *occupied[2], *zone[2];
static int32_t *cost, *last, *open_cost, *through, *seen, *done, *queue[MOST], *order, *room[MOST];
static int length[MOST], size[MOST], mark, ready;

static void prepare(const Front *f) {
    if (!ready) {
        for (int s = 0; s < 2; s++) {
            occupied[s] = malloc(f->places);
            zone[s] = malloc(f->places);
        }
        cost = malloc(4 * f->places); last = malloc(4 * f->places);
        open_cost = malloc(4 * f->places); through = malloc(4 * f->places);
        seen = calloc(f->places, 4); done = calloc(f->places, 4);
        order = malloc(4 * f->places);
        for (int i = 0; i < MOST; i++) { size[i] = 256; queue[i] = malloc(4 * size[i]); }
        ready = 1;
    }
    for (int s = 0; s < 2; s++) {
        memset(occupied[s], 0, f->places);
        memset(zone[s], 0, f->places);
    }
    for (int u = 0; u < f->units; u++) {
        int p = f->at[u], s = f->side[u];
        occupied[s][p] = 1;
        if (f->arm[u] == 1) continue; /* horse has no zone */
        for (int k = 0; k < NEAR; k++) {
            int q = f->near[p * NEAR + k];
            if (q >= 0 && !f->river[p * NEAR + k]) zone[s][q] = 1;
        }
    }
}

static void push(int c, int place) {
    if (length[c] == size[c]) queue[c] = realloc(queue[c], 4 * (size[c] *= 2));
    queue[c][length[c]++] = place;
}

static int ascending(const void *a, const void *b) { return *(const int32_t *)a - *(const int32_t *)b; }

static int step(const Front *f, int arm, int here, int k, int there) {
    int i = here * NEAR + k;
    if (f->road[i]) return 1;
    return f->price[arm * 6 + f->terrain[there]] + (f->river[i] ? 2 : 0);
}

/* The reach of one unit: places found in `order`, their cost and the place before in `cost` and `last`. */
static int reach_of(const Front *f, int u) {
    int enemy = 1 - f->side[u], limit = f->movement[u], found = 0, arm = f->arm[u], start = f->at[u];
    const uint8_t *shut = occupied[enemy], *halt = zone[enemy];
    mark++;
    for (int c = 0; c <= limit; c++) length[c] = 0;
    seen[start] = mark; cost[start] = open_cost[start] = 0; last[start] = through[start] = -1;
    order[found++] = start;
    push(0, start);
    for (int c = 0; c <= limit; c++) {
        if (length[c] > 1) qsort(queue[c], length[c], 4, ascending);
        for (int j = 0; j < length[c]; j++) {
            int here = queue[c][j];
            if (done[here] == mark) continue;
            done[here] = mark;
            for (int k = 0; k < NEAR; k++) {
                int there = f->near[here * NEAR + k];
                if (there < 0 || done[there] == mark || shut[there] || f->terrain[there] == LAKE) continue;
                int total = c + step(f, arm, here, k, there);
                if (total > limit) continue;
                if (seen[there] != mark) {
                    seen[there] = mark;
                    cost[there] = open_cost[there] = 1 << 30;
                    last[there] = through[there] = 1 << 30;
                    order[found++] = there;
                }
                if (open_cost[there] < total || (open_cost[there] == total && through[there] <= here)) continue;
                if (total < cost[there] || (total == cost[there] && here < last[there])) {
                    cost[there] = total;
                    last[there] = here;
                }
                if (halt[there]) continue;
                open_cost[there] = total;
                through[there] = here;
                push(total, there);
            }
        }
    }
    return found;
}

/* The reach of many units: for each the places with cost and place before, one after another in `out`. */
int64_t reach(const Front *f, const int32_t *who, int count, int32_t *out, int32_t *sizes) {
    int64_t all = 0;
    prepare(f);
    for (int i = 0; i < count; i++) {
        int found = reach_of(f, who[i]);
        for (int j = 0; j < found; j++) {
            int p = order[j];
            out[3 * all] = p; out[3 * all + 1] = cost[p]; out[3 * all + 2] = last[p];
            all++;
        }
        sizes[i] = found;
    }
    return all;
}

/* Which units have a depot in reach: one search a side, from all its depots backwards. */
int supply(const Front *f, int limit, uint8_t *out) {
    int count = 0;
    prepare(f);
    for (int s = 0; s < 2; s++) {
        const uint8_t *shut = occupied[1 - s], *halt = zone[1 - s];
        mark++;
        for (int c = 0; c <= limit; c++) length[c] = 0;
        for (int p = 0; p < f->places; p++)
            if (f->depot[p] == s + 1) { seen[p] = mark; cost[p] = 0; push(0, p); }
        for (int c = 0; c <= limit; c++)
            for (int j = 0; j < length[c]; j++) {
                int there = queue[c][j];
                if (done[there] == mark) continue;
                done[there] = mark;
                /* a way may begin here whatever stands here; it may lead on from another place only through open ones */
                if (shut[there] || f->terrain[there] == LAKE || (halt[there] && f->depot[there] != s + 1)) continue;
                for (int k = 0; k < NEAR; k++) {
                    int here = f->near[there * NEAR + k];
                    if (here < 0 || done[here] == mark) continue;
                    int i = there * NEAR + k;
                    int price = f->road[i] ? 1 : f->price[f->terrain[there]] + (f->river[i] ? 2 : 0);
                    int total = c + price;
                    if (total > limit || (seen[here] == mark && cost[here] <= total)) continue;
                    seen[here] = mark;
                    cost[here] = total;
                    push(total, here);
                }
            }
        for (int u = 0; u < f->units; u++)
            if (f->side[u] == s) count += out[u] = seen[f->at[u]] == mark;
    }
    return count;
}
