// A seeded source of random numbers: a series is named by its family and its seed.

export type Random = {
  /** At least 0, less than 1. */
  readonly uniform: () => number
  /** Normal, mean 0, deviation 1. */
  readonly normal: () => number
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
}

/** Mulberry32. */
export function makeRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  return {
    uniform,
    normal,
    between: (low, high) => low + (high - low) * uniform(),
    chance: (probability) => uniform() < probability,
  }
}
