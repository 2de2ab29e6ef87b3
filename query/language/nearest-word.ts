// "Did you mean": the known word nearest to an unknown one.

const MAX_SHOWN = 40
const LEAST_NAME = 3
const LEAST_PART = 5

/** `unknown stage 'cuont', the nearest is 'count'` */
export function describeUnknown(what: string, word: string, known: readonly string[]): string {
  const shown = word.length > MAX_SHOWN ? `${word.slice(0, MAX_SHOWN)}…` : word
  const nearest = nearestWord(word, known)
  return `unknown ${what} '${shown}'${nearest === undefined ? '' : `, the nearest is '${nearest}'`}`
}

/** Of a column: also one of which a part is near, if there is one such alone: `duraton` for
 *  `duration_ms` and for `avg duration`. Of names of two letters none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length < LEAST_NAME) return undefined
  const near = nearestWord(name, known)
  if (near !== undefined || name.length < LEAST_PART) return near
  const parts = new Map<string, string[]>()
  for (const one of known)
    for (const part of new Set(one.split(/[\s._-]+/))) {
      if (part === one || part.length < LEAST_PART) continue
      const names = parts.get(part)
      if (names === undefined) parts.set(part, [one])
      else names.push(one)
    }
  const part = nearestWord(name, [...parts.keys()])
  const [first, ...others] = parts.get(part ?? '') ?? []
  return others.length === 0 ? first : undefined
}

/** undefined when none is near: more than a third of the letters (at least one) would have to
 *  change. `known` in lower case. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_SHOWN) return undefined
  const folded = word.toLowerCase()
  const rows = makeRows(folded.length)
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(folded.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(folded, candidate, bestDistance, rows)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Rows of the table of distances: the last three, used in turns. */
type Rows = readonly [Uint8Array, Uint8Array, Uint8Array]

/** A candidate is longer by less than the word's own length. */
function makeRows(length: number): Rows {
  const row = () => new Uint8Array(2 * length + 3)
  return [row(), row(), row()]
}

/** Insertions, deletions, replacements; two swapped neighbours count once. Any number from `enough`
 *  up stands for all of these. Only cells near to the diagonal can be less: a cell beside it by n
 *  costs n at least. */
function editDistance(a: string, b: string, enough: number, rows: Rows): number {
  if (Math.abs(a.length - b.length) >= enough) return enough
  let [beforeLast, last, row] = rows
  for (let j = 0; j <= b.length; j += 1) last[j] = Math.min(j, enough)
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - enough + 1)
    const to = Math.min(b.length, i + enough - 1)
    // Beside the cells that are looked at; what lies there is of another word.
    row[from - 1] = from === 1 ? Math.min(i, enough) : enough
    if (to < b.length) row[to + 1] = enough
    let least = row[from - 1] ?? enough
    const letter = a.charCodeAt(i - 1)
    const letterBefore = i > 1 ? a.charCodeAt(i - 2) : -1
    for (let j = from; j <= to; j += 1) {
      const other = b.charCodeAt(j - 1)
      let cost = (last[j - 1] ?? enough) + (letter === other ? 0 : 1)
      cost = Math.min(cost, (row[j - 1] ?? enough) + 1, (last[j] ?? enough) + 1)
      if (j > 1 && letter === b.charCodeAt(j - 2) && letterBefore === other)
        cost = Math.min(cost, (beforeLast[j - 2] ?? enough) + 1)
      cost = Math.min(cost, enough)
      row[j] = cost
      if (cost < least) least = cost
    }
    // What follows is no less than the least of two rows, and of one when nothing is swapped.
    if (least >= enough && i > 1 && leastOf(last, from, to) >= enough) return enough
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return last[b.length] ?? enough
}

function leastOf(row: Uint8Array, from: number, to: number): number {
  let least = 255
  for (let j = Math.max(0, from - 1); j <= to; j += 1) least = Math.min(least, row[j] ?? 255)
  return least
}
