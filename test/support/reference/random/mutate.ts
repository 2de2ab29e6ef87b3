// One typing mistake in a query: where it may stand, and what becomes of the text.
import type { Random } from './random.ts'

/** What was hit. `text`: searched words, values (also the hosts and files of a scope, which are
 *  values of events), and what stands in quotation marks: another one is another question.
 *  `new name`: a name that the query gives. */
export type Hit = 'keyword' | 'name' | 'operator' | 'punctuation' | 'text' | 'new name'
export type Mistake = 'changed' | 'dropped' | 'doubled' | 'swapped' | 'word dropped'
/** `text`: the whole query with the mistake, which made `to` of `from`. */
export type Mutation = {
  readonly text: string
  readonly hit: Hit
  readonly mistake: Mistake
  readonly from: string
  readonly to: string
}

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
    const from = text.slice(token.start, token.end)
    const to = mistakeIn(from, mistake, random)
    const whole = text.slice(0, token.start) + to + text.slice(token.end)
    if (to !== from) return { text: whole, hit: token.hit, mistake, from, to }
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
  const spans: Span[] = []
  collect(tree, text, spans)
  const spanAt = (at: number) => spans.findLast(({ start, end }) => at >= start && at < end)
  return [...text.matchAll(TOKEN)].flatMap(({ 0: found, index }) => {
    const end = index + found.length
    // `server.web-01` is a keyword and a value.
    const isQuoted = found.startsWith('"')
    const inside = isQuoted ? undefined : spans.find(({ start }) => start > index && start < end)
    if (inside !== undefined)
      return [
        { start: index, end: inside.start, hit: spanAt(index)?.hit ?? 'keyword' },
        { start: inside.start, end, hit: inside.hit },
      ]
    const hit = spanAt(index)?.hit ?? hitOf(found)
    return [{ start: index, end, hit }]
  })
}

function hitOf(token: string): Hit {
  if (/^["\d]/.test(token)) return 'text'
  if (/^[<>=!]/.test(token)) return 'operator'
  return /^[\p{L}_]/u.test(token) ? 'keyword' : 'punctuation'
}

type Span = Token

/** Where columns and logs are named, where words and values stand, and new names, anywhere in the
 *  tree; inner ones after those around them. */
function collect(node: unknown, text: string, spans: Span[]): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, text, spans)
    return
  }
  if (typeof node !== 'object' || node === null) return
  if ('kind' in node && 'start' in node && 'end' in node) {
    const { kind, start, end } = node
    if (typeof start === 'number' && typeof end === 'number')
      spans.push(...spansOf(kind, node, start, text.slice(start, end)))
  }
  for (const value of Object.values(node)) collect(value, text, spans)
  // The column of a template is a name that the query gives.
  if ('kind' in node && node.kind === 'displayItem') addMade(node, spans)
}

function spansOf(kind: unknown, node: object, start: number, written: string): Span[] {
  const end = start + written.length
  switch (kind) {
    case 'column':
      return [{ start, end, hit: 'name' }]
    case 'word':
    case 'phrase':
    case 'value':
      return [{ start, end, hit: 'text' }]
    case 'scopeName': {
      const isValue = 'of' in node && (node.of === 'server' || node.of === 'file')
      const name: Span = { start, end, hit: 'name' }
      return isValue
        ? [name, { start: start + written.indexOf('.') + 1, end, hit: 'text' }]
        : [name]
    }
  }
  if (!('alias' in node) || typeof node.alias !== 'string') return []
  const at = written.lastIndexOf(` as ${node.alias}`) + ' as '.length
  const from = start + at
  return at < ' as '.length ? [] : [{ start: from, end: from + node.alias.length, hit: 'new name' }]
}

function addMade(item: object, spans: Span[]): void {
  if (!('column' in item && 'format' in item)) return
  const { column, format } = item
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (!isObject(column) || !isObject(format) || !('type' in format)) return
  if (!['simple', 'expression', 'query'].includes(String(format.type))) return
  if (!('start' in column && 'end' in column)) return
  const { start, end } = column
  if (typeof start === 'number' && typeof end === 'number')
    spans.push({ start, end, hit: 'new name' })
}
