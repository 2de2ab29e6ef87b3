// The elements of a pattern -> the instructions of the matcher.
import { choicesOf, dateFormats, EQUALS, SEPARATORS } from '../language/check-column.ts'
import { parsePattern } from '../language/parse-pattern.ts'
import {
  type ColumnElement,
  type Pattern,
  type PatternElement,
  PatternFault,
} from '../language/pattern.ts'
import { DateReader } from '../values/date-reader.ts'
import {
  ADDRESS,
  CHOICE,
  DATE,
  END,
  type Instruction,
  JSON_TEXT,
  LITERAL,
  MAY_END,
  MUST_END,
  NUMBER,
  OPEN,
  PAIRS,
  type PatternColumn,
  type Program,
  SPLIT,
  TIMESTAMP,
} from './program.ts'

const NONE = new Uint8Array(0)
const NEWLINE = 10
const SPACE = 32
const BLANK: Omit<Instruction, 'kind' | 'element'> = {
  column: -1,
  bytes: NONE,
  table: NONE,
  mayEndLast: false,
  isLast: false,
  isAfterOpen: false,
  date: null,
  choices: [],
  ignoresCase: false,
  skipTo: 0,
  firstColumn: 0,
  lastColumn: 0,
}

/** Throws PatternFault. */
export function compilePattern(text: string): Program {
  return new PatternCompiler().compile(parsePattern(text))
}

type Draft = { -readonly [K in keyof Instruction]: Instruction[K] }

class PatternCompiler {
  readonly #instructions: Draft[] = []
  readonly #columns: PatternColumn[] = []

  compile({ elements, endsEvent }: Pattern): Program {
    this.#addAll(elements)
    this.#instructions.push({ ...BLANK, kind: END, element: null })
    this.#lookAhead()
    this.#checkLast()
    const instructions = this.#instructions
    const last = instructions.at(-2)
    return {
      instructions,
      columns: this.#columns,
      timeColumn: this.#columns.findIndex(({ type }) => type === 'date' || type === 'timestamp'),
      endsEvent,
      takesLines:
        !endsEvent &&
        last?.element?.kind === 'column' &&
        last.element.type === 'string' &&
        !instructions.some(({ bytes }) => bytes.includes(NEWLINE)),
    }
  }

  #addAll(elements: readonly PatternElement[]): void {
    for (const element of elements) {
      switch (element.kind) {
        case 'literal': {
          // One space stands for any number of them.
          const bytes = new TextEncoder().encode(element.text.replaceAll(/ +/g, ' '))
          this.#instructions.push({ ...BLANK, kind: LITERAL, bytes, element })
          break
        }
        case 'block': {
          const split: Draft = { ...BLANK, kind: SPLIT, element, firstColumn: this.#columns.length }
          if (element.mayBeMissing) this.#instructions.push(split)
          this.#addAll(element.elements)
          split.skipTo = this.#instructions.length
          split.lastColumn = this.#columns.length
          break
        }
        case 'column':
          this.#addColumn(element)
      }
    }
  }

  #addColumn(element: ColumnElement): void {
    const { type, attributes, format } = element
    const column = this.#columns.length
    const date = type === 'date' ? dateOf(element) : null
    const described: PatternColumn = {
      name: element.name,
      type,
      role: attributes.ftype ?? '',
      displayFormat: type === 'timestamp' ? format : dateFormats(format).display,
      displayLocale: attributes.localeView ?? '',
      product: Number(attributes.product ?? 1),
      timeDiffMs: Number(attributes.timeDiff ?? 0),
      date,
      separator: (SEPARATORS[attributes.separator ?? 'space'] ?? ' ').charCodeAt(0),
      equals: (EQUALS[attributes.equals ?? 'equals'] ?? '=').charCodeAt(0),
    }
    this.#columns.push(described)
    const choices = type === 'choice' || type === 'priority' ? choicesOf(element) : []
    this.#instructions.push({
      ...BLANK,
      kind: kindOf(element),
      column,
      element,
      date,
      choices: choices.map((choice) => new TextEncoder().encode(choice)),
      ignoresCase: type === 'priority',
    })
    if (type === 'url')
      this.#columns.push({
        ...described,
        name: attributes.paramsName ?? '',
        role: attributes.paramsFtype ?? '',
      })
  }

  /** Tells open columns where they may end. */
  #lookAhead(): void {
    const firsts: First[] = []
    const instructions = this.#instructions
    for (let pc = instructions.length - 1; pc >= 0; pc--) {
      const instruction = instructions[pc]
      if (instruction === undefined) continue
      const next = firsts[pc + 1] ?? EMPTY_FIRST
      if (instruction.kind === OPEN) {
        instruction.table = tableOf(instruction.element, next)
        instruction.mayEndLast = next.mayBeLast
        instruction.isLast = instructions[pc + 1]?.kind === END
      }
      firsts[pc] = firstOf(instruction, next, firsts[instruction.skipTo] ?? EMPTY_FIRST)
    }
    let isOpen = false
    for (const instruction of instructions) {
      instruction.isAfterOpen = isOpen
      // A part that may be missing leaves it as open as it was.
      if (instruction.kind !== SPLIT) isOpen = instruction.kind === OPEN
    }
    for (const { kind, skipTo, isAfterOpen } of instructions) {
      const target = instructions[skipTo]
      if (kind === SPLIT && target !== undefined) target.isAfterOpen ||= isAfterOpen
    }
  }

  #checkLast(): void {
    for (const [pc, { kind, element }] of this.#instructions.entries()) {
      if (kind !== PAIRS && kind !== JSON_TEXT) continue
      if (this.#instructions[pc + 1]?.kind === END || element === null) continue
      const type = kind === PAIRS ? 'pairs' : 'json'
      throw new PatternFault(
        element.at,
        `${type} takes the rest of the line; write nothing after it`,
      )
    }
  }
}

function dateOf({ attributes, format }: ColumnElement): DateReader {
  const { read } = dateFormats(format)
  return new DateReader(read, attributes.locale, Number(attributes.timeDiff ?? 0))
}

function kindOf({ type }: ColumnElement): number {
  switch (type) {
    case 'string':
    case 'text':
    case 'word':
    case 'url':
      return OPEN
    case 'number':
      return NUMBER
    case 'timestamp':
      return TIMESTAMP
    case 'ip':
    case 'geoip':
      return ADDRESS
    case 'date':
      return DATE
    case 'choice':
    case 'priority':
      return CHOICE
    case 'pairs':
      return PAIRS
    case 'json':
      return JSON_TEXT
  }
}

/** With which bytes the rest of a pattern can begin, from an instruction on. */
type First = { readonly bytes: Uint8Array; readonly mayBeLast: boolean }

const EMPTY_FIRST: First = { bytes: new Uint8Array(256), mayBeLast: true }

function firstOf(instruction: Instruction, next: First, skipped: First): First {
  const bytes = new Uint8Array(256)
  const add = (codes: Iterable<number>) => {
    for (const code of codes) bytes[code] = 1
  }
  switch (instruction.kind) {
    case END:
      return EMPTY_FIRST
    case LITERAL:
      add([instruction.bytes[0] ?? 0])
      break
    case NUMBER:
    case TIMESTAMP:
      add(textBytes('0123456789-'))
      break
    case ADDRESS:
      add(textBytes('0123456789abcdefABCDEF:-'))
      break
    case CHOICE:
      for (const choice of instruction.choices) {
        const first = choice[0] ?? 0
        add(instruction.ignoresCase ? [first, lower(first), upper(first)] : [first])
      }
      break
    case JSON_TEXT:
      add(textBytes('{'))
      break
    case SPLIT:
      for (let code = 0; code < 256; code++)
        bytes[code] = (next.bytes[code] ?? 0) | (skipped.bytes[code] ?? 0)
      return { bytes, mayBeLast: next.mayBeLast || skipped.mayBeLast }
    case OPEN:
      bytes.fill(1)
      return { bytes, mayBeLast: next.mayBeLast }
    default:
      bytes.fill(1)
  }
  return { bytes, mayBeLast: false }
}

function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

function upper(code: number): number {
  return code >= 97 && code <= 122 ? code - 32 : code
}

function tableOf(element: PatternElement | null, next: First): Uint8Array {
  const table = new Uint8Array(256)
  const type = element?.kind === 'column' ? element.type : 'text'
  for (let code = 0; code < 256; code++) {
    if (next.bytes[code] === 1) table[code] = MAY_END
    const isRefused =
      type === 'word'
        ? code <= SPACE
        : type === 'url'
          ? code < SPACE
          : type === 'text' && code === NEWLINE
    if (isRefused) table[code] = (table[code] ?? 0) | MUST_END
  }
  return table
}
