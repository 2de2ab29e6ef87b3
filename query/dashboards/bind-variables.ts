// The values of variables in the text of a query (docs/decisions/0074). `${name}` stands where a
// value stands. It is first read as a text that nobody writes, so that the tree tells where it is;
// then each value is written in quotation marks, and the tree must be the same but for the value.
// Pure.
import { Failure } from '../../schemas/failures.ts'
import type { Query } from '../language/tree.ts'

/** Values by name of variable; none: all, the test with the variable is left out. */
export type ChosenValues = ReadonlyMap<string, readonly string[]>

const PLACEHOLDER = /\$\{([^{}]*)\}/g

/** `readTree` fails as parsing does. Fails with dashboard.variable, search.query. */
export function bindVariables(
  text: string,
  chosen: ChosenValues,
  readTree: (text: string) => Query,
): string {
  const placeholders = [...text.matchAll(PLACEHOLDER)]
  if (placeholders.length === 0) return text
  for (const { 0: whole, 1: name = '', index } of placeholders)
    if (!isAlone(text, index, index + whole.length)) throw refuse(name, WHERE)
  const word = freeWord(text)
  const markers = placeholders.map(([, name = ''], at) => ({ name, word: `${word}${at}x` }))
  const marked = write(text, (at) => quote(markers[at]?.word ?? ''))
  const tree = readTree(marked)
  const edits = markers.map((marker): Edit => {
    const values = chosen.get(marker.name)
    if (values === undefined) throw refuse(marker.name, 'the dashboard has none of this name')
    const place = findPlace(tree, marked, marker)
    for (const value of values) requireSameTree(value, marker)
    return editOf(place, marked, marker, values)
  })
  return apply(marked, edits)

  function requireSameTree(value: string, marker: Marker): void {
    const written = marked.replace(quote(marker.word), () => quote(value))
    const expected = shapeOf(tree, (found) => (found === marker.word ? value : found))
    if (shapeOf(readTree(written)) !== expected)
      throw refuse(marker.name, 'this value would change what the query asks')
  }
}

/** Names of the variables in a query, as often as they stand there. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

/** A text of the language that holds these characters and nothing else. */
export function quote(value: string): string {
  return `"${value.replaceAll(/[\\"]/g, '\\$&')}"`
}

type Marker = { readonly name: string; readonly word: string }
type Edit = { readonly start: number; readonly end: number; readonly text: string }

function write(text: string, textOf: (at: number) => string): string {
  let at = -1
  return text.replaceAll(PLACEHOLDER, () => {
    at += 1
    return textOf(at)
  })
}

/** No part of a longer word: `.` stands before the name of a scope. */
function isAlone(text: string, start: number, end: number): boolean {
  const [before, after] = [text.slice(0, start), text.slice(end)]
  return /(^|[\s(=<>,.])$/.test(before) && /^($|[\s),|\]])/.test(after)
}

/** Letters that do not stand in the text. */
function freeWord(text: string): string {
  let word = 'lgvar'
  while (text.toLowerCase().includes(word)) word += 'q'
  return word
}

type Node = Readonly<Record<string, unknown>>

/** Where a variable stands: itself, and what would be left out without it, with all above. */
type Place = { readonly node: Node; readonly above: readonly Node[] }

/** As written, not read: a title of a column, or a part that is read elsewhere. */
const COPIES: ReadonlySet<string> = new Set(['conditionText', 'start', 'end'])

function findPlace(tree: Query, marked: string, marker: Marker): Place {
  const places: Place[] = []
  let isElsewhere = false
  const visit = (value: unknown, above: readonly Node[], key: string): void => {
    if (typeof value === 'string') {
      if (!value.includes(marker.word)) return
      const place = value === marker.word ? placeOf(above, key) : undefined
      if (place === undefined) isElsewhere = true
      else places.push(place)
      return
    }
    if (Array.isArray(value)) {
      for (const one of value) visit(one, above, key)
      return
    }
    if (!isNode(value)) return
    for (const [name, part] of Object.entries(value))
      if (!COPIES.has(name)) visit(part, [...above, value], name)
  }
  visit(tree, [], '')
  const [place] = places
  if (place === undefined || places.length > 1 || isElsewhere) throw refuse(marker.name, WHERE)
  if (!marked.slice(...spanOf(place.node)).includes(marker.word)) throw refuse(marker.name, WHERE)
  return place
}

const WHERE =
  'stands only where a value, a text to search for or the name of a scope stands, without quotation marks around it'

/** A value's or scope's pattern of one text, or the text of a phrase. */
function placeOf(above: readonly Node[], key: string): Place | undefined {
  const node = above.at(-1)
  if (node?.kind === 'phrase' && key === 'text') return { node, above: above.slice(0, -1) }
  if (node?.kind !== 'text' || key !== 'text') return undefined
  const holder = above.at(-2)
  const pattern = holder?.kind === 'value' ? holder.pattern : holder?.name
  if (holder?.kind !== 'value' && holder?.kind !== 'scopeName') return undefined
  if (!Array.isArray(pattern) || pattern.length !== 1) return undefined
  return { node: holder, above: above.slice(0, -2) }
}

function editOf(
  { node, above }: Place,
  marked: string,
  marker: Marker,
  values: readonly string[],
): Edit {
  const check = above.at(-1)
  const test = above.at(-2)
  const isInTest = node.kind === 'value' && isNode(check) && test?.kind === 'test'
  if (values.length === 0) {
    const whole = isInTest ? test : node
    if (node.kind === 'value' && !isInTest) throw refuse(marker.name, 'needs a value here')
    const outer = above[above.indexOf(whole) - 1] ?? above.at(-1)
    const left = outer?.kind === 'not' ? outer : whole
    return edit(left, '*')
  }
  if (values.length === 1) return edit(node, fill(node, values[0] ?? ''))
  if (node.kind === 'scopeName') return edit(node, each(node, ', '))
  if (node.kind === 'phrase') return edit(node, `(${each(node, ' or ')})`)
  if (isInTest && check.kind === 'list') return edit(node, each(node, ', '))
  if (!isInTest || (check.kind !== 'compare' && check.kind !== 'text' && check.kind !== 'matches'))
    throw refuse(marker.name, 'takes one value here')
  const isNegated = check.isNegated === true || check.operator === '!='
  return edit(test, `(${each(test, isNegated ? ' and ' : ' or ')})`)

  function fill(of: Node, value: string): string {
    return marked.slice(...spanOf(of)).replace(quote(marker.word), () => quote(value))
  }
  function each(of: Node, between: string): string {
    return values.map((value) => fill(of, value)).join(between)
  }
  function edit(of: Node, text: string): Edit {
    const [start, end] = spanOf(of)
    if (!marked.slice(start, end).includes(quote(marker.word))) throw refuse(marker.name, WHERE)
    return { start, end, text }
  }
}

/** Of edits within each other the outer one holds the inner one's variable unread: refused. */
function apply(text: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start)
  let done = ''
  let at = 0
  for (const one of sorted) {
    if (one.start < at) throw new Failure('dashboard.variable', { variable: '', reason: WHERE })
    done += text.slice(at, one.start) + one.text
    at = one.end
  }
  return done + text.slice(at)
}

/** Of white space the language tells no kinds apart. */
function shapeOf(tree: Query, textOf: (text: string) => string = (text) => text): string {
  return JSON.stringify(tree, (key, value: unknown) => {
    if (COPIES.has(key)) return undefined
    return typeof value === 'string' ? textOf(value).replaceAll(/\s+/g, ' ').trim() : value
  })
}

function spanOf({ start, end }: Node): [number, number] {
  return [Number(start), Number(end)]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(variable: string, reason: string): Failure {
  return new Failure('dashboard.variable', { variable, reason })
}
