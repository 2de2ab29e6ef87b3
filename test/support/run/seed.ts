// Seeds of random tests. What judges a commit is repeatable: the seed stands in the test. By hand
// the variable takes another seed, or `random`.

export function readSeed(variable: string, fixed: number): number {
  const text = process.env[variable]
  if (text === undefined || text === '') return fixed
  if (text === 'random') return Math.floor(Math.random() * 1_000_000)
  const seed = Number(text)
  if (!Number.isSafeInteger(seed)) throw new Error(`${variable} is a whole number or random`)
  return seed
}
