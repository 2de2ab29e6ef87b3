// The text of a pattern -> its elements. Outside of braces `{{` and `}}` are literal braces; inside
// a column `}}` is one.
import { checkColumn } from './check-column.ts'
import { COLUMN_TYPES, isColumnType } from './column-types.ts'
import { type ColumnElement, type Pattern, type PatternElement, PatternFault } from './pattern.ts'

const MAX_CHARACTERS = 16_384
const MAX_ELEMENTS = 250
const MAX_DEPTH = 8
const CONTROLS: ReadonlyMap<string, string> = new Map(Object.entries({ tab: '\t', newline: '\n' }))

/** Throws PatternFault. */
export function parsePattern(text: string): Pattern {
  if (text === '') throw new PatternFault(0, 'the pattern is empty; write at least one column')
  if (text.length > MAX_CHARACTERS)
    throw new PatternFault(MAX_CHARACTERS, `a pattern has at most ${MAX_CHARACTERS} characters`)
  return new PatternParser(text).parse()
}

type OpenBlock = { at: number; mayBeMissing: boolean; elements: PatternElement[] }

class PatternParser {
  readonly #text: string
  #at = 0
  #count = 0
  #hasColumn = false
  readonly #names = new Set<string>()
  readonly #open: OpenBlock[] = []
  #elements: PatternElement[] = []

  constructor(text: string) {
    this.#text = text
  }

  parse(): Pattern {
    const text = this.#text
    let endsEvent = false
    while (this.#at < text.length) {
      const at = this.#at
      if (endsEvent) throw new PatternFault(at, '{eoe} ends the event; write nothing after it')
      if (text.startsWith('{{', at) || text.startsWith('}}', at)) {
        this.#addLiteral(at, text.charAt(at))
        this.#at += 2
      } else if (text.charAt(at) === '}') {
        throw new PatternFault(at, 'a } without its {; write }} for a brace in the line')
      } else if (text.charAt(at) !== '{') {
        let end = at
        while (end < text.length && !'{}'.includes(text.charAt(end))) end++
        this.#addLiteral(at, text.slice(at, end))
        this.#at = end
      } else if (this.#readBraces() === 'end') endsEvent = true
    }
    const open = this.#open.at(-1)
    if (open !== undefined)
      throw new PatternFault(open.at, 'the block has no end; write {block,end} after it')
    if (!this.#hasColumn)
      throw new PatternFault(0, 'the pattern has no column; write {text:Message}')
    return { text, elements: this.#elements, endsEvent }
  }

  #readBraces(): 'end' | 'more' {
    const at = this.#at
    const inside = this.#readInside(at)
    const comma = inside.search(/[:,]/)
    const type = (comma < 0 ? inside : inside.slice(0, comma)).trim()
    if (type === 'eoe') {
      if (comma >= 0) throw new PatternFault(at, '{eoe} takes nothing; write {eoe}')
      if (this.#open.length > 0)
        throw new PatternFault(at, '{eoe} stands in a block; write it at the end of the pattern')
      return 'end'
    }
    const control = CONTROLS.get(type)
    if (type === 'block') this.#readBlock(at, inside)
    else if (control !== undefined && comma < 0) this.#addLiteral(at, control)
    else if (isColumnType(type)) {
      const text = this.#text.slice(at, this.#at)
      this.#addColumn(readColumn(at, text, inside, type))
    } else {
      const known = [...Object.keys(COLUMN_TYPES), 'block', 'eoe', 'tab', 'newline'].join(', ')
      const hint = `write one of ${known}, or {{ for a brace in the line`
      throw new PatternFault(at, `there is no type ${JSON.stringify(type.slice(0, 40))}; ${hint}`)
    }
    return 'more'
  }

  /** Moves over the braces. */
  #readInside(at: number): string {
    const text = this.#text
    let end = at + 1
    for (; end < text.length; end++) {
      const character = text.charAt(end)
      if (character === '{')
        throw new PatternFault(end, 'a { inside a column; end the column before it with }')
      if (character !== '}') continue
      // A format may hold a brace; three are a brace and the end.
      if (text.charAt(end + 1) === '}' && text.slice(at, end).includes(',')) end++
      else break
    }
    if (end >= text.length)
      throw new PatternFault(at, 'the { has no }; end the column, or write {{ for a brace')
    this.#at = end + 1
    return text.slice(at + 1, end).replaceAll('}}', '}')
  }

  #readBlock(at: number, inside: string): void {
    const match = /^block,(start|end)(?:,\s*emptiness=(true|false)\s*(?:;\s*)?,?)?$/.exec(inside)
    if (match === null)
      throw new PatternFault(
        at,
        'a block is written {block,start,emptiness=true} … {block,end,emptiness=true}',
      )
    if (match[1] === 'start') {
      if (this.#open.length >= MAX_DEPTH)
        throw new PatternFault(at, `blocks stand at most ${MAX_DEPTH} deep in each other`)
      this.#open.push({ at, mayBeMissing: match[2] === 'true', elements: this.#elements })
      this.#elements = []
      return
    }
    const open = this.#open.pop()
    if (open === undefined)
      throw new PatternFault(at, 'a block ends that has not begun; write {block,start} before it')
    if (this.#elements.length === 0)
      throw new PatternFault(open.at, 'the block is empty; write something in it or leave it out')
    const { mayBeMissing } = open
    const block = { kind: 'block', at: open.at, mayBeMissing, elements: this.#elements } as const
    this.#elements = open.elements
    this.#add(block)
  }

  #addColumn(column: ColumnElement): void {
    checkColumn(column)
    this.#hasColumn = true
    const { name, attributes } = column
    for (const one of [name, attributes.paramsName ?? '']) {
      if (one === '') continue
      const folded = one.toLowerCase()
      if (this.#names.has(folded))
        throw new PatternFault(column.at, `the column ${one} stands twice; give it another name`)
      this.#names.add(folded)
    }
    const last = this.#elements.at(-1)
    if (isOpen(column) && last?.kind === 'column' && isOpen(last))
      throw new PatternFault(
        column.at,
        `nothing tells where ${last.text} ends; write what stands between the two columns`,
      )
    this.#add(column)
  }

  #addLiteral(at: number, text: string): void {
    const last = this.#elements.at(-1)
    if (last?.kind !== 'literal') this.#add({ kind: 'literal', at, text })
    else this.#elements[this.#elements.length - 1] = { ...last, text: last.text + text }
  }

  #add(element: PatternElement): void {
    this.#count++
    if (this.#count > MAX_ELEMENTS)
      throw new PatternFault(element.at, `a pattern has at most ${MAX_ELEMENTS} elements`)
    this.#elements.push(element)
  }
}

function isOpen({ type }: ColumnElement): boolean {
  return type === 'string' || type === 'text' || type === 'word' || type === 'url'
}

const ATTRIBUTE = /^\s*([A-Za-z]+)\s*=(.*)$/s

/** `type:name,attributes,format`; attributes may be left out. */
function readColumn(
  at: number,
  text: string,
  inside: string,
  type: ColumnElement['type'],
): ColumnElement {
  const [head = ''] = inside.split(',', 1)
  const colon = head.indexOf(':')
  const name = colon < 0 ? '' : head.slice(colon + 1).trim()
  const tail = inside.slice(head.length + 1)
  const column = { kind: 'column', at, text, type, name } as const
  const [first = ''] = tail.split(',', 1)
  // An empty list of attributes lets a format begin like one.
  if (tail.startsWith(',')) return { ...column, attributes: {}, format: tail.slice(1) }
  if (!ATTRIBUTE.test(first)) return { ...column, attributes: {}, format: tail }
  const attributes: Record<string, string> = {}
  for (const part of first.split(';')) {
    if (part.trim() === '') continue
    const match = ATTRIBUTE.exec(part)
    const [, key = '', value = ''] = match ?? []
    if (match === null)
      throw new PatternFault(at, `${JSON.stringify(part)} is no attribute; write name=value`)
    if (Object.hasOwn(attributes, key))
      throw new PatternFault(at, `the attribute ${key} stands twice`)
    attributes[key] = value.trim()
  }
  return { ...column, attributes, format: tail.slice(first.length + 1) }
}
