// Fits a pattern to the bytes of an event. There is one reading, the first in this order: from left
// to right, each open column (string, text, url) as short as it can be, each part that may be
// missing there if it can be, each choice in its order (docs/decisions/0037).
//
// It tries and goes back, like a regular expression; after a number of steps that plain lines never
// need it begins anew and notes what failed where, so that nothing is tried twice: the steps grow
// with the length of the line, whatever the line and the pattern are. It builds no objects.
import { type TimeZone, timeZone } from '../../../schemas/time/time-zone.ts'
import { MatchValues } from '../values/match-values.ts'
import { looksLikePairs } from '../values/pair-scanner.ts'
import { addressEnd, foldedEnd, isDash, isWordByte } from '../values/read-values.ts'
import { Runs } from '../values/runs.ts'
import { FinishedSpans } from './finished-spans.ts'
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
  type Program,
  SPLIT,
  TIMESTAMP,
} from './program.ts'

const MINUS = 45
const SPACE = 32
const TAB = 9
const FAILED = -1
/** Steps a byte, and at least, before failures are noted. */
const PLAIN_STEPS = 8
const LEAST_STEPS = 2048
/** A megabyte of notes stays for the next event; more is given back. */
const KEPT_WORDS = 262_144

export class PatternMatcher {
  readonly program: Program
  /** Of the last event that fitted, by column: its place in the bytes; start -1: it has none. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Numbers and times of the same event. */
  readonly values: MatchValues
  /** Of the last event: steps taken; and where it stopped fitting: the furthest instruction that
   *  was reached, and the place where it began. */
  steps = 0
  /** An event that needs more does not fit. */
  mostSteps = Number.POSITIVE_INFINITY
  farthest = 0
  farthestAt = 0

  readonly #instructions: readonly Instruction[]
  readonly #stackPc: Int32Array
  readonly #stackAt: Int32Array
  readonly #stackOption: Int32Array
  #depth = 0
  #isNoting = false
  /** After {eoe}: what the line holds beyond it. */
  readonly #mayLeaveRest: boolean
  #noted = new Uint32Array(0)
  #start = 0
  #width = 0
  readonly #spans: FinishedSpans
  readonly #runs = new Runs()

  constructor(program: Program) {
    const { instructions, columns } = program
    this.program = program
    this.starts = new Int32Array(columns.length).fill(-1)
    this.ends = new Int32Array(columns.length)
    this.values = new MatchValues(program)
    this.#instructions = instructions
    // Each instruction stands in the stack once at most.
    this.#stackPc = new Int32Array(instructions.length + 1)
    this.#stackAt = new Int32Array(instructions.length + 1)
    this.#stackOption = new Int32Array(instructions.length + 1)
    this.#mayLeaveRest = program.endsEvent && instructions.at(-1)?.isAfterOpen === false
    this.#spans = new FinishedSpans(program)
  }

  /** `bytes` from `start` to `end`: an event without its last line end. False: the pattern does not
   *  fit, and nothing of the result counts. */
  match(bytes: Uint8Array, start: number, end: number): boolean {
    this.steps = 0
    this.farthest = 0
    this.farthestAt = start
    this.#start = start
    this.#width = end - start + 1
    this.#runs.reset()
    const limit = LEAST_STEPS + PLAIN_STEPS * (end - start)
    this.#isNoting = false
    let fits = this.#search(bytes, start, end, Math.min(limit, this.mostSteps))
    if (fits === undefined && this.steps < this.mostSteps) {
      this.#prepareNotes()
      fits = this.#search(bytes, start, end, this.mostSteps)
    }
    if (fits !== true) return false
    this.#spans.finish(bytes, this.starts, this.ends)
    return true
  }

  /** As `match`, with the values of numbers and times. `zone`: of times that name none. */
  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    receivedMs: number,
    zone: TimeZone = timeZone('UTC'),
  ): boolean {
    if (!this.match(bytes, start, end)) return false
    this.values.read(bytes, this.starts, this.ends, receivedMs, zone)
    return true
  }

  /** undefined: more steps than `limit`. */
  #search(bytes: Uint8Array, start: number, end: number, limit: number): boolean | undefined {
    const instructions = this.#instructions
    this.starts.fill(-1)
    this.#depth = 0
    let pc = 0
    let at = start
    for (;;) {
      if (++this.steps > limit) return undefined
      const instruction = instructions[pc]
      if (instruction === undefined) return false
      if (pc > this.farthest) {
        this.farthest = pc
        this.farthestAt = at
      }
      let next: number
      if (instruction.kind === LITERAL) next = this.#literalEnd(instruction.bytes, bytes, at, end)
      else if (instruction.kind === END) {
        if (at === end || (this.#mayLeaveRest && isSpace(bytes[at] ?? 0))) return true
        next = FAILED
      } else if (this.#isNoting && instruction.kind !== OPEN && this.#isKnown(pc, at)) {
        next = FAILED
      } else next = this.#enter(instruction, pc, bytes, at, end)
      if (next !== FAILED) {
        pc++
        at = next
        continue
      }
      // Back to the last place where there was another way.
      for (;;) {
        if (this.#depth === 0) return false
        this.#depth--
        pc = this.#stackPc[this.#depth] ?? 0
        at = this.#stackAt[this.#depth] ?? 0
        const back = instructions[pc]
        if (back === undefined) return false
        if (++this.steps > limit) return undefined
        if (back.kind === SPLIT) {
          this.starts.fill(-1, back.firstColumn, back.lastColumn)
          pc = back.skipTo
          break
        }
        next = this.#again(back, pc, bytes, at, end)
        if (next === FAILED) continue
        pc++
        at = next
        break
      }
    }
  }

  #literalEnd(literal: Uint8Array, bytes: Uint8Array, from: number, end: number): number {
    let at = from
    for (let i = 0; i < literal.length; i++) {
      if (at >= end || bytes[at] !== literal[i]) return FAILED
      at = literal[i] === SPACE ? this.#passSpaces(bytes, at, end) : at + 1
    }
    return at
  }

  #passSpaces(bytes: Uint8Array, from: number, end: number): number {
    const runs = this.#runs
    const at = runs.spacesEnd(bytes, from, end)
    this.steps += runs.looked
    return at
  }

  /** Gives where the instruction ends that begins at `at`. */
  #enter(instruction: Instruction, pc: number, bytes: Uint8Array, at: number, end: number): number {
    const { kind, column } = instruction
    switch (kind) {
      case OPEN:
        this.starts[column] = at
        return this.#extend(instruction, pc, bytes, at, end)
      case NUMBER:
      case TIMESTAMP:
        return this.#enterNumber(instruction, pc, bytes, at, end)
      case CHOICE:
        return this.#choose(instruction, pc, bytes, at, end, 0)
      case SPLIT:
        this.#push(pc, at, 0)
        return at
      case ADDRESS:
        return this.#take(instruction, bytes, at, end, addressEnd(bytes, at, end))
      case DATE:
        return this.#take(instruction, bytes, at, end, instruction.date?.read(bytes, at, end) ?? -1)
      case PAIRS: {
        const isHere = at === end || looksLikePairs(bytes, at, end, this.#equalsOf(column))
        return this.#take(instruction, bytes, at, end, isHere ? end : FAILED)
      }
      case JSON_TEXT: {
        let last = end
        while (last > at && isSpace(bytes[last - 1] ?? 0)) last--
        const isHere = bytes[at] === 0x7b && bytes[last - 1] === 0x7d && last > at + 1
        return this.#take(instruction, bytes, at, end, isHere ? end : FAILED)
      }
      default:
        return FAILED
    }
  }

  #equalsOf(column: number): number {
    return this.program.columns[column]?.equals ?? 0
  }

  /** The other way of an instruction that is in the stack. */
  #again(instruction: Instruction, pc: number, bytes: Uint8Array, at: number, end: number): number {
    if (instruction.kind === OPEN) return this.#extend(instruction, pc, bytes, at, end)
    if (instruction.kind === CHOICE)
      return this.#choose(instruction, pc, bytes, at, end, this.#stackOption[this.#depth] ?? 0)
    // A number without its fraction.
    this.ends[instruction.column] = at
    return at
  }

  /** An open column ends at `from` or later. */
  #extend(
    instruction: Instruction,
    pc: number,
    bytes: Uint8Array,
    from: number,
    end: number,
  ): number {
    const { table, column } = instruction
    if (this.#isNoting) return this.#extendNoting(instruction, pc, bytes, from, end)
    let at = from
    let mark = 0
    while (at < end) {
      mark = table[bytes[at] ?? 0] ?? 0
      if (mark !== 0) break
      at++
    }
    this.steps += at - from
    this.ends[column] = at
    if (at === end) return instruction.mayEndLast ? at : FAILED
    if ((mark & MUST_END) === 0) this.#push(pc, at + 1, 0)
    return (mark & MAY_END) !== 0 ? at : FAILED
  }

  #extendNoting(
    instruction: Instruction,
    pc: number,
    bytes: Uint8Array,
    from: number,
    end: number,
  ): number {
    const { table } = instruction
    for (let at = from; at <= end; at++) {
      this.steps++
      if (this.#isKnown(pc, at)) return FAILED
      const mark = at < end ? (table[bytes[at] ?? 0] ?? 0) : instruction.mayEndLast ? MAY_END : 0
      if ((mark & MAY_END) !== 0) {
        if (at < end && (mark & MUST_END) === 0) this.#push(pc, at + 1, 0)
        this.ends[instruction.column] = at
        return at
      }
      if ((mark & MUST_END) !== 0) return FAILED
    }
    return FAILED
  }

  #enterNumber(
    instruction: Instruction,
    pc: number,
    bytes: Uint8Array,
    at: number,
    end: number,
  ): number {
    const { column, kind, isAfterOpen } = instruction
    const isSigned = kind === NUMBER && at < end && bytes[at] === MINUS
    // `web-01` ends in 01, not in -1.
    const isDashed = isAfterOpen && at > this.#start && isWordByte(bytes[at - 1] ?? 0)
    const first = isSigned && !isDashed ? at + 1 : at
    const runs = this.#runs
    runs.readDigits(bytes, first, end)
    this.steps += runs.looked
    const whole = runs.digitsTo
    if (whole <= first) return this.#take(instruction, bytes, at, end, FAILED)
    const last = runs.fractionTo
    this.starts[column] = at
    this.ends[column] = last
    if (last > whole) this.#push(pc, whole, 0)
    return last
  }

  #choose(
    instruction: Instruction,
    pc: number,
    bytes: Uint8Array,
    at: number,
    end: number,
    from: number,
  ): number {
    const { choices, ignoresCase, column } = instruction
    for (let option = from; option < choices.length; option++) {
      const choice = choices[option]
      if (choice === undefined) continue
      const last = ignoresCase
        ? foldedEnd(choice, bytes, at, end)
        : literalEnd(choice, bytes, at, end)
      if (last === FAILED) continue
      if (option + 1 < choices.length) this.#push(pc, at, option + 1)
      this.starts[column] = at
      this.ends[column] = last
      return last
    }
    return FAILED
  }

  /** A lone `-` stands for a value that the sender did not have. */
  #take(
    instruction: Instruction,
    bytes: Uint8Array,
    at: number,
    end: number,
    last: number,
  ): number {
    const { column, kind, isAfterOpen } = instruction
    if (last !== FAILED) {
      this.starts[column] = at
      this.ends[column] = last
      return last
    }
    if (kind === PAIRS || kind === JSON_TEXT || isAfterOpen) return FAILED
    this.starts[column] = -1
    return isDash(bytes, at, end) ? at + 1 : FAILED
  }

  #push(pc: number, at: number, option: number): void {
    this.#stackPc[this.#depth] = pc
    this.#stackAt[this.#depth] = at
    this.#stackOption[this.#depth] = option
    this.#depth++
  }

  #prepareNotes(): void {
    this.#isNoting = true
    const words = Math.ceil((this.#width * this.#instructions.length) / 32)
    const isKept = this.#noted.length >= words && this.#noted.length <= KEPT_WORDS
    if (!isKept) this.#noted = new Uint32Array(words)
    else this.#noted.fill(0, 0, words)
  }

  /** Whether this instruction was at this place before: then it failed. */
  #isKnown(pc: number, at: number): boolean {
    const index = pc * this.#width + at - this.#start
    const word = index >>> 5
    const bit = 1 << (index & 31)
    const noted = this.#noted[word] ?? 0
    if ((noted & bit) !== 0) return true
    this.#noted[word] = noted | bit
    return false
  }
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB
}

function literalEnd(literal: Uint8Array, bytes: Uint8Array, at: number, end: number): number {
  const { length } = literal
  if (at + length > end) return FAILED
  for (let i = 0; i < length; i++) if (bytes[at + i] !== literal[i]) return FAILED
  return at + length
}
