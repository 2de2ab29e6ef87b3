// What is new among the kinds (shapes of messages, values of a column) that a run has seen, by what
// its monitor has seen before (docs/decisions/0130). Pure.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** Seen before anything is told. */
export const LEARN_MS = WEEK_MS
/** In its first days a monitor meets what has always been there. */
const BEGIN_MS = 3 * DAY_MS
/** How long a kind is young: told when it has come often enough by then, else never. */
export const YOUNG_MS = DAY_MS
/** New kinds of so long say how often a kind must come to be news. */
export const LOOK_BACK_MS = 4 * WEEK_MS
/** What was not seen for so long is new when it comes again. */
const FORGET_MS = 90 * DAY_MS
/** What was told teaches so many times what it had to reach, no more: incidents are no habit. */
const MOST_TAUGHT = 2
/** So many new kinds in a week are news, if there are more the most frequent. */
const NEW_A_WEEK = 2

export type Kind = {
  readonly firstMs: number
  /** To the day: it is written seldom. */
  readonly lastMs: number
  /** Events of its first day. */
  readonly young: number
  /** What it had to reach when it was told; 0: it was not told. */
  readonly told: number
}

/** By kind. */
export type Kinds = ReadonlyMap<string, Kind>

export type Memory = {
  /** From when on all was seen. */
  readonly sinceMs: number
  readonly kinds: Kinds
}

export type Step = {
  readonly kinds: Kinds
  /** Kinds that are news, in the order in which they were seen. */
  readonly news: readonly string[]
}

/** `seen`: events of each kind in this run. `isEvery`: however often new ones come. */
export function stepKinds(
  { sinceMs, kinds: before }: Memory,
  seen: ReadonlyMap<string, number>,
  { dueMs, isEvery }: { readonly dueMs: number; readonly isEvery: boolean },
): Step {
  const kinds = new Map(before)
  for (const [name, { lastMs }] of before)
    if (lastMs < dueMs - FORGET_MS && !seen.has(name)) kinds.delete(name)
  for (const [name, count] of seen) {
    const known = kinds.get(name)
    const isGone = known === undefined || known.lastMs < dueMs - FORGET_MS
    if (isGone) kinds.set(name, { firstMs: dueMs, lastMs: dueMs, young: count, told: 0 })
    else {
      const young = known.young + (dueMs - known.firstMs < YOUNG_MS ? count : 0)
      const lastMs = dueMs - known.lastMs < DAY_MS ? known.lastMs : dueMs
      if (young !== known.young || lastMs !== known.lastMs)
        kinds.set(name, { ...known, lastMs, young })
    }
  }
  if (dueMs - sinceMs < LEARN_MS) return { kinds, news: [] }
  const limit = isEvery ? 1 : leastOfNews(sinceMs, before, dueMs)
  const news = [...seen.keys()].filter((name) => {
    const kind = kinds.get(name)
    if (kind === undefined || kind.told > 0 || kind.firstMs - sinceMs < LEARN_MS) return false
    return dueMs - kind.firstMs < YOUNG_MS && kind.young >= limit
  })
  for (const name of news) {
    const kind = kinds.get(name)
    if (kind !== undefined) kinds.set(name, { ...kind, told: limit })
  }
  return { kinds, news }
}

/** How often a new kind must come in its first day: of the last four weeks fewer than two a week
 *  came so often. */
export function leastOfNews(sinceMs: number, kinds: Kinds, dueMs: number): number {
  const fromMs = Math.max(sinceMs + BEGIN_MS, dueMs - LOOK_BACK_MS)
  const weeks = Math.max(1, Math.round((dueMs - fromMs) / WEEK_MS))
  const counts: number[] = []
  for (const { firstMs, young, told } of kinds.values()) {
    // What is young and not told is what is asked about.
    const isOpen = told === 0 && dueMs - firstMs < YOUNG_MS
    if (firstMs < fromMs || isOpen) continue
    counts.push(told > 0 ? Math.min(young, MOST_TAUGHT * told) : young)
  }
  counts.sort((a, b) => b - a)
  return (counts[NEW_A_WEEK * weeks - 1] ?? 0) + 1
}
