// A template: patterns (docs/reference/patterns.md) for the logs of some types. An event takes the
// first pattern that fits.

export type Template = {
  readonly name: string
  /** Words, of which a log or `productType` may name some (decision 3.9). */
  readonly logTypes: readonly string[]
  readonly patterns: readonly string[]
}

/** The first template that has all words of a type, which stand apart by spaces or commas; letter
 *  case does not count. */
export function findTemplate<T extends Pick<Template, 'logTypes'>>(
  templates: readonly T[],
  typeWords: string,
): T | undefined {
  const words = typeWords
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
  if (words.length === 0) return undefined
  return templates.find(({ logTypes }) => words.every((word) => logTypes.includes(word)))
}
