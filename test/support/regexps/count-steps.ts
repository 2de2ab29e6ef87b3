// A backtracking matcher that counts its steps, in the order of V8's and without its shortcuts: a
// clock shows how busy the machine is, and V8 shows no steps.
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

export type Expression = { readonly source: string; readonly flags: string }

/** What a set takes, asked once for each character. */
type CharacterSet = { readonly expression: RegExp; readonly known: Map<string, boolean> }

type Instruction =
  | { readonly op: 'set'; readonly set: CharacterSet; readonly isBack: boolean }
  /** Tries `first`, then `second`. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'mark'; readonly register: number }
  /** Ends a repetition that took nothing. */
  | { readonly op: 'progress'; readonly register: number }
  | { readonly op: 'zero'; readonly counter: number }
  | Count
  | {
      readonly op: 'next'
      readonly counter: number
      readonly register: number
      readonly min: number
    }
  | { readonly op: 'reference'; readonly group: number; readonly isBack: boolean }
  | { readonly op: 'assert'; readonly kind: 'start' | 'end' | 'word' | 'not word' }
  | { readonly op: 'look'; readonly isNegated: boolean; to: number }
  | { readonly op: 'accept' }

type Count = {
  readonly op: 'count'
  readonly counter: number
  readonly min: number
  readonly max: number
  readonly isGreedy: boolean
  to: number
}

export type Program = Expression & {
  readonly tree: AST.Pattern
  /** By the text of a set or character. */
  readonly sets: ReadonlyMap<string, CharacterSet>
  readonly instructions: readonly Instruction[]
  readonly groups: number
  readonly registers: number
  /** It matches at the start only, or where the last match ended. */
  readonly isAnchored: boolean
  readonly isUnicode: boolean
}

const parser = new RegExpParser({ ecmaVersion: 2025 })
const LINE_ENDS = new Set(['\n', '\r', '\u2028', '\u2029'])

export const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /\w/.test(character)

export const isLineEnd = (character: string | undefined): boolean =>
  character !== undefined && LINE_ENDS.has(character)

export function takes(set: CharacterSet, character: string): boolean {
  let isTaken = set.known.get(character)
  if (isTaken === undefined) {
    isTaken = set.expression.test(character)
    set.known.set(character, isTaken)
  }
  return isTaken
}

export function compile({ source, flags }: Expression): Program {
  const isUnicode = /[uv]/.test(flags)
  const tree = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  const writer = new ProgramWriter(tree, flags)
  writer.alternatives(tree.alternatives, false)
  writer.emit({ op: 'accept' })
  const isAtStart = tree.alternatives.every(({ elements: [first] }) => isStart(first))
  return {
    ...{ source, flags, tree, sets: writer.sets, instructions: writer.instructions },
    ...{ groups: writer.groups.size + 1, registers: writer.registers, isUnicode },
    isAnchored: flags.includes('y') || (!flags.includes('m') && isAtStart),
  }
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start'
}

class ProgramWriter {
  readonly instructions: Instruction[] = []
  readonly sets = new Map<string, CharacterSet>()
  /** By their position in the expression, which is their number. */
  readonly groups = new Map<AST.CapturingGroup, number>()
  registers = 0
  readonly #flags: string

  constructor(tree: AST.Pattern, flags: string) {
    this.#flags = flags.replace(/[^isuv]/g, '')
    visitRegExpAST(tree, {
      onCapturingGroupEnter: (group) => {
        this.groups.set(group, this.groups.size + 1)
      },
    })
  }

  emit<I extends Instruction>(instruction: I): I {
    this.instructions.push(instruction)
    return instruction
  }

  get #here(): number {
    return this.instructions.length
  }

  /** `isBack`: within a lookbehind, which is matched from its end to its start. */
  alternatives(list: readonly AST.Alternative[], isBack: boolean): void {
    const ends = list.map(({ elements }, at) => {
      const isLast = at === list.length - 1
      const split = isLast ? undefined : this.emit({ op: 'split', first: 0, second: 0 })
      if (split !== undefined) split.first = this.#here
      for (const element of isBack ? [...elements].reverse() : elements)
        this.#element(element, isBack)
      const end = isLast ? undefined : this.emit({ op: 'jump', to: 0 })
      if (split !== undefined) split.second = this.#here
      return end
    })
    for (const end of ends) if (end !== undefined) end.to = this.#here
  }

  #element(node: AST.Element, isBack: boolean): void {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        this.emit({ op: 'set', set: this.#set(node.raw), isBack })
        return
      case 'Group':
        if (node.modifiers !== null) throw new Error(`flags inside ${node.raw}`)
        this.alternatives(node.alternatives, isBack)
        return
      case 'CapturingGroup': {
        const slot = 2 * (this.groups.get(node) ?? 0)
        this.emit({ op: 'save', slot: slot + (isBack ? 1 : 0) })
        this.alternatives(node.alternatives, isBack)
        this.emit({ op: 'save', slot: slot + (isBack ? 0 : 1) })
        return
      }
      case 'Backreference': {
        const [group] = [node.resolved].flat()
        const number = group === undefined ? undefined : this.groups.get(group)
        this.emit({ op: 'reference', group: number ?? 0, isBack })
        return
      }
      case 'Assertion':
        this.#assertion(node)
        return
      case 'Quantifier':
        this.#quantifier(node, isBack)
        return
    }
  }

  #set(raw: string): CharacterSet {
    const known = this.sets.get(raw)
    if (known !== undefined) return known
    const set = { expression: new RegExp(`^(?:${raw})$`, this.#flags), known: new Map() }
    this.sets.set(raw, set)
    return set
  }

  #assertion(node: AST.Assertion): void {
    if (node.kind === 'lookahead' || node.kind === 'lookbehind') {
      const look = this.emit({ op: 'look', isNegated: node.negate, to: 0 })
      this.alternatives(node.alternatives, node.kind === 'lookbehind')
      this.emit({ op: 'accept' })
      look.to = this.#here
    } else if (node.kind === 'word')
      this.emit({ op: 'assert', kind: node.negate ? 'not word' : 'word' })
    else this.emit({ op: 'assert', kind: node.kind })
  }

  #quantifier({ min, max, greedy, element }: AST.Quantifier, isBack: boolean): void {
    if (max === 0) return
    if (max === 1 && min === 1) {
      this.#element(element, isBack)
      return
    }
    if (max > 1 && (min > 0 || max !== Number.POSITIVE_INFINITY)) {
      this.#counted({ min, max, greedy }, element, isBack)
      return
    }
    const register = this.registers++
    const start = this.#here
    const isLoop = max > 1
    if (isLoop) this.emit({ op: 'mark', register })
    const split = this.emit({ op: 'split', first: this.#here + 1, second: this.#here + 1 })
    this.#element(element, isBack)
    if (isLoop) this.emit({ op: 'progress', register })
    if (isLoop) this.emit({ op: 'jump', to: start })
    if (greedy) split.second = this.#here
    else split.first = this.#here
  }

  #counted(
    { min, max, greedy }: Pick<AST.Quantifier, 'min' | 'max' | 'greedy'>,
    element: AST.QuantifiableElement,
    isBack: boolean,
  ): void {
    const counter = this.registers++
    const register = this.registers++
    this.emit({ op: 'zero', counter })
    const start = this.#here
    const count = this.emit<Count>({ op: 'count', counter, min, max, isGreedy: greedy, to: 0 })
    this.emit({ op: 'mark', register })
    this.#element(element, isBack)
    this.emit({ op: 'next', counter, register, min })
    this.emit({ op: 'jump', to: start })
    count.to = this.#here
  }
}

export type Counted = {
  readonly steps: number
  /** Positions of the first match among the characters. */
  readonly first: readonly [start: number, end: number] | undefined
}

/** Of one `exec` or `test`; of all matches when the expression has the flag `g`. undefined: more
 *  steps than `limit`. */
export function countSteps(program: Program, text: string, limit: number): Counted | undefined {
  const matcher = new Matcher(program, charactersOf(program, text), limit)
  return matcher.run()
}

/** As the expression sees them: code points with the flag `u` or `v`. */
export function charactersOf({ isUnicode }: Program, text: string): readonly string[] {
  return isUnicode ? [...text] : text.split('')
}

/** What is restored when the matcher goes back. */
type Undo =
  | { readonly kind: 'choice'; readonly at: number; readonly position: number }
  | { readonly kind: 'register' | 'slot'; readonly at: number; readonly value: number }

class Matcher {
  #steps = 0
  readonly #program: Program
  readonly #characters: readonly string[]
  readonly #limit: number
  readonly #slots: Int32Array
  readonly #registers: Int32Array

  constructor(program: Program, characters: readonly string[], limit: number) {
    this.#program = program
    this.#characters = characters
    this.#limit = limit
    this.#slots = new Int32Array(2 * program.groups)
    this.#registers = new Int32Array(program.registers)
  }

  run(): Counted | undefined {
    const { flags, isAnchored } = this.#program
    let first: Counted['first']
    let start = 0
    while (start <= this.#characters.length) {
      this.#slots.fill(-1)
      const end = this.#match(0, start)
      if (end === 'limit') return undefined
      if (end === undefined && isAnchored) break
      if (end !== undefined) first ??= [start, end]
      if (end !== undefined && !flags.includes('g')) break
      start = end !== undefined && end > start ? end : start + 1
    }
    return { steps: this.#steps, first }
  }

  /** The end of a match that begins at `start`. */
  #match(from: number, start: number): number | undefined | 'limit' {
    const { instructions } = this.#program
    const undo: Undo[] = []
    let at = from
    let position = start
    for (;;) {
      this.#steps += 1
      if (this.#steps > this.#limit) return 'limit'
      const instruction = instructions[at]
      let isTaken = true
      at += 1
      switch (instruction?.op) {
        case 'set': {
          const { set, isBack } = instruction
          const character = this.#characters[isBack ? position - 1 : position]
          isTaken = character !== undefined && takes(set, character)
          position += isBack ? -1 : 1
          break
        }
        case 'split':
          undo.push({ kind: 'choice', at: instruction.second, position })
          at = instruction.first
          break
        case 'jump':
          at = instruction.to
          break
        case 'save':
          this.#set(undo, 'slot', instruction.slot, position)
          break
        case 'mark':
          this.#set(undo, 'register', instruction.register, position)
          break
        case 'progress':
          isTaken = this.#registers[instruction.register] !== position
          break
        case 'zero':
          this.#set(undo, 'register', instruction.counter, 0)
          break
        case 'count': {
          const { counter, min, max, isGreedy, to } = instruction
          const done = this.#registers[counter] ?? 0
          if (done < min) break
          if (done < max) undo.push({ kind: 'choice', at: isGreedy ? to : at, position })
          if (done >= max || !isGreedy) at = to
          break
        }
        case 'next': {
          const { counter, register, min } = instruction
          const done = this.#registers[counter] ?? 0
          isTaken = done < min || this.#registers[register] !== position
          if (isTaken) this.#set(undo, 'register', counter, done + 1)
          break
        }
        case 'reference': {
          const length = this.#referenceLength(instruction.group, position, instruction.isBack)
          isTaken = length !== undefined
          position += (length ?? 0) * (instruction.isBack ? -1 : 1)
          break
        }
        case 'assert':
          isTaken = this.#isAt(instruction.kind, position)
          break
        case 'look': {
          const end = this.#match(at, position)
          if (end === 'limit') return 'limit'
          isTaken = (end !== undefined) !== instruction.isNegated
          at = instruction.to
          break
        }
        case 'accept':
          return position
        default:
          throw new Error(`no instruction at ${at - 1}`)
      }
      if (isTaken) continue
      const choice = this.#goBack(undo)
      if (choice === undefined) return undefined
      at = choice.at
      position = choice.position
    }
  }

  #set(undo: Undo[], kind: 'register' | 'slot', at: number, value: number): void {
    const values = kind === 'slot' ? this.#slots : this.#registers
    undo.push({ kind, at, value: values[at] ?? 0 })
    values[at] = value
  }

  #goBack(undo: Undo[]): { readonly at: number; readonly position: number } | undefined {
    for (let last = undo.pop(); last !== undefined; last = undo.pop()) {
      if (last.kind === 'choice') return last
      const values = last.kind === 'slot' ? this.#slots : this.#registers
      values[last.at] = last.value
    }
    return undefined
  }

  /** How many characters a group took, when the same are here. */
  #referenceLength(group: number, position: number, isBack: boolean): number | undefined {
    const start = this.#slots[2 * group] ?? -1
    const end = this.#slots[2 * group + 1] ?? -1
    if (start < 0 || end < 0) return 0
    const from = isBack ? position - (end - start) : position
    for (let i = start; i < end; i += 1, this.#steps += 1)
      if (this.#characters[from + i - start] !== this.#characters[i]) return undefined
    return end - start
  }

  #isAt(kind: 'start' | 'end' | 'word' | 'not word', position: number): boolean {
    const before = this.#characters[position - 1]
    const after = this.#characters[position]
    const isMultiline = this.#program.flags.includes('m')
    if (kind === 'start') return position === 0 || (isMultiline && isLineEnd(before))
    if (kind === 'end') return after === undefined || (isMultiline && isLineEnd(after))
    return (isWordCharacter(before) !== isWordCharacter(after)) === (kind === 'word')
  }
}
