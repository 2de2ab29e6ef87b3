// "Did you mean": the known word nearest to an unknown one.

const MAX_SHOWN = 40

/** `unknown stage 'cuont', the nearest is 'count'` */
export function describeUnknown(what: string, word: string, known: readonly string[]): string {
  const shown = word.length > MAX_SHOWN ? `${word.slice(0, MAX_SHOWN)}…` : word
  const nearest = nearestWord(word, known)
  return `unknown ${what} '${shown}'${nearest === undefined ? '' : `, the nearest is '${nearest}'`}`
}

/** undefined when none is near: more than a third of the letters (at least one) would have to change. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_SHOWN) return undefined
  const folded = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(folded.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(folded, candidate, bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Insertions, deletions, replacements; two swapped neighbours count once. Any number from `enough` up stands for all of these. */
function editDistance(a: string, b: string, enough: number): number {
  if (Math.abs(a.length - b.length) >= enough) return enough
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(at(row, j - 1) + 1, at(last, j) + 1, at(last, j - 1) + change)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1)
      }
      row.push(cost)
    }
    // What follows is no less than the least of two rows.
    if (Math.min(...row) >= enough && Math.min(...last) >= enough) return enough
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
