// A template: patterns (docs/reference/patterns.md) for the logs of some types. An event takes the
// first pattern that fits.

export type Template = {
  readonly name: string
  /** Words, of which a log or `productType` may name some (decision 3.9). */
  readonly logTypes: readonly string[]
  readonly patterns: readonly string[]
  /** Rules of masking for the events that meet it (schemas/masking/mask-rule.ts). */
  readonly maskRules?: readonly string[] | undefined
}

/** A sender may send anything: a log keeps no more of it. */
const MAX_WORDS = 32
const MAX_WORD_CHARACTERS = 64

/** The words of a type, which stand apart by spaces or commas, as they are written. */
export function wordsOfType(typeWords: string): string[] {
  if (typeWords === '') return []
  return typeWords
    .split(/[\s,]+/)
    .filter((word) => word !== '' && word.length <= MAX_WORD_CHARACTERS)
    .slice(0, MAX_WORDS)
}

/** The words of `more` that a log whose words are `known` does not have yet and still has room for;
 *  letter case does not count. */
export function newTypeWords(known: readonly string[], more: readonly string[]): string[] {
  const added: string[] = []
  for (const word of more) {
    if (known.length + added.length >= MAX_WORDS) break
    const folded = word.toLowerCase()
    const isSame = (other: string) => other.toLowerCase() === folded
    if (!known.some(isSame) && !added.some(isSame)) added.push(word)
  }
  return added
}

/** Whether a log whose words are `known` has no room for one of `more`. */
export function lacksRoomForWords(known: readonly string[], more: readonly string[]): boolean {
  if (known.length < MAX_WORDS) return false
  const folded = new Set(known.map((word) => word.toLowerCase()))
  return more.some((word) => !folded.has(word.toLowerCase()))
}

/** The first template that has all words of a type; letter case does not count. */
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

/** Letter case does not count. */
export function templateNamed<T extends Pick<Template, 'name'>>(
  templates: readonly T[],
  name: string,
): T | undefined {
  const folded = name.normalize('NFC').trim().toLowerCase()
  return templates.find((template) => template.name.toLowerCase() === folded)
}
