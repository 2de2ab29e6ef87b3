// Repeatable randomness: mulberry32.

export type Random = {
  /** 0 <= x < 1 */
  next(): number
  /** 0 <= n < end */
  below(end: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Some of them, at least one, in a random order. */
  some<Item>(items: readonly Item[], most: number): Item[]
}

export function makeRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (end: number) => Math.floor(next() * end)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick,
    some: (items, most) => {
      const left = [...items]
      const count = 1 + below(Math.min(most, left.length))
      return Array.from({ length: count }, () => left.splice(below(left.length), 1)).flat()
    },
  }
}
