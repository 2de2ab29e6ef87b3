// One text for one value, so that equal values are equal bytes: what is signed (decision 0049) and
// what the pricing engine answers (decision 9.9).

/** Keys sorted, no space; what is undefined is left out. */
export function printCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printCanonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, one]) => `${JSON.stringify(name)}:${printCanonical(one)}`).join(',')}}`
}
