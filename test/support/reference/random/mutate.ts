// One typing mistake in a query: where it may stand, and what becomes of the text.
import type { Random } from './random.ts'

/** What was hit. `text`: searched words, values, and what stands in quotation marks: another one is
 *  another question. `new name`: a name that the query gives. */
export type Hit = 'keyword' | 'name' | 'operator' | 'punctuation' | 'text' | 'new name'
export type Mistake = 'changed' | 'dropped' | 'doubled' | 'swapped' | 'word dropped'
export type Mutation = { readonly text: string; readonly hit: Hit; readonly mistake: Mistake }

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const TOKEN = /"(?:\\.|[^"\\])*"|[\p{L}\p{N}_.$-]+|[<>=!]+|\||[^\s]/gu

type Token = { readonly start: number; readonly end: number; readonly hit: Hit }

/** `tree`: what `text` was read as, with the places of its nodes. Undefined when nothing came of
 *  some tries. */
export function mutate(text: string, tree: object, random: Random): Mutation | undefined {
  const tokens = tokensOf(text, tree)
  for (let tries = 0; tries < 20; tries += 1) {
    const token = random.pick(tokens)
    const isWord = token.hit !== 'operator' && token.hit !== 'punctuation'
    const mistake = random.pick<Mistake>(
      isWord
        ? ['changed', 'dropped', 'doubled', 'swapped', 'word dropped']
        : ['dropped', 'doubled'],
    )
    const mistaken = mistakeIn(text.slice(token.start, token.end), mistake, random)
    const whole = text.slice(0, token.start) + mistaken + text.slice(token.end)
    if (whole !== text) return { text: whole, hit: token.hit, mistake }
  }
  return undefined
}

function mistakeIn(word: string, mistake: Mistake, random: Random): string {
  const letters = [...word]
  const at = random.below(letters.length)
  const [letter = '', next = ''] = letters.slice(at, at + 2)
  switch (mistake) {
    case 'word dropped':
      return ''
    case 'changed':
      return letters.with(at, random.pick([...LETTERS])).join('')
    case 'dropped':
      return letters.toSpliced(at, 1).join('')
    case 'doubled':
      return letters.toSpliced(at, 0, letter).join('')
    case 'swapped':
      return next === '' ? word : letters.toSpliced(at, 2, next, letter).join('')
  }
}

function tokensOf(text: string, tree: object): Token[] {
  const names: [number, number][] = []
  const texts: [number, number][] = []
  collect(tree, names, texts)
  const inside = (spans: readonly [number, number][], at: number) =>
    spans.some(([start, end]) => at >= start && at < end)
  let before = ''
  return [...text.matchAll(TOKEN)].map(({ 0: found, index }) => {
    const isNew = before.toLowerCase() === 'as'
    before = found
    const hit = (): Hit => {
      if (inside(names, index)) return 'name'
      if (inside(texts, index)) return 'text'
      if (isNew) return 'new name'
      if (/^["\d]/.test(found)) return 'text'
      if (/^[<>=!]/.test(found)) return 'operator'
      return /^[\p{L}_]/u.test(found) ? 'keyword' : 'punctuation'
    }
    return { start: index, end: index + found.length, hit: hit() }
  })
}

/** Where columns and logs are named, and where words and values stand, anywhere in the tree. */
function collect(node: unknown, names: [number, number][], texts: [number, number][]): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, names, texts)
    return
  }
  if (typeof node !== 'object' || node === null) return
  if ('kind' in node && 'start' in node && 'end' in node) {
    const { kind, start, end } = node
    if (typeof start === 'number' && typeof end === 'number') {
      if (kind === 'column' || kind === 'scopeName') names.push([start, end])
      if (kind === 'word' || kind === 'phrase' || kind === 'value') texts.push([start, end])
    }
  }
  for (const value of Object.values(node)) collect(value, names, texts)
}
