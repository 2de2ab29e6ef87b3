// Texts made from an expression for which a backtracking matcher does most: a part is repeated
// between what leads to it and what ends the match.
import type { AST } from '@eslint-community/regexpp'
import {
  charactersOf,
  compile,
  countSteps,
  type Expression,
  isLineEnd,
  isWordCharacter,
  type Program,
  takes,
} from './count-steps.ts'

/** `prefix`, `pump` repeated, `suffix`. */
export type Family = { readonly prefix: string; readonly pump: string; readonly suffix: string }

/** `growth`: how the steps of the second half of a text compare with those of the first: 2 for an
 *  expression whose steps are linear in the text, 4 for a quadratic one, when it is doubled. */
export type Finding = Family & {
  readonly kind: 'growth' | 'factor' | 'limit'
  readonly growth?: number
}

const CANDIDATES = ' \t\n_-./:;,=@%"\'\\()[]{}<>|*?+&#!$^~`aAzZbBfFkK019éß中\0\u0001\u0002\u200b'
/** Repetitions of fewer are no loop. */
const LOOP = 16
const MAX_GROWTH = 2.6
/** Steps for a character of the text. */
const MAX_FACTOR = 100
/** Fewer for a character cannot have grown. */
const LEAST_STEPS = 9
const STEP_LIMIT = 400_000
const MAX_WAYS = 4096
const MEASURED_PUMPS = 2

/** The first text for which the steps grow faster than the text; undefined: none was found.
 *  `characters`: of the shortest texts, which are made four times as long, and eight times when
 *  they are suspect. */
export function findGrowth(expression: Expression, characters: number): Finding | undefined {
  const program = compile(expression)
  if (isPlain(program)) return undefined
  for (const family of familiesOf(program)) {
    const finding = measure(program, family, characters)
    if (finding !== undefined) return finding
  }
  return undefined
}

/** The most steps for a text of so many characters, of those for which they grow faster than the
 *  text; 'limit' for more than `limit`. 0: no such text was found. */
export function mostSteps(
  expression: Expression,
  characters: number,
  limit: number,
): number | 'limit' {
  const program = compile(expression)
  const pumps = new Set<string>()
  let most = 0
  for (const family of familiesOf(program)) {
    const { prefix, pump, suffix } = family
    if (pumps.size >= MEASURED_PUMPS) break
    if (pumps.has(pump) || measure(program, family, LOOP) === undefined) continue
    pumps.add(pump)
    const repeats = Math.floor((characters - prefix.length - suffix.length) / pump.length)
    const counted = countSteps(program, textOf(family, Math.max(1, repeats)), limit)
    if (counted === undefined) return 'limit'
    most = Math.max(most, counted.steps)
  }
  return most
}

/** Texts that the expression matches, and others of the same characters. */
export function sampleTexts(program: Program): readonly string[] {
  const letters = alphabetOf(program)
  const samples = samplesOf(program, program.tree, letters, 6)
  return [
    ...samples,
    ...letters,
    ...samples.flatMap((sample) => letters.slice(0, 8).flatMap((it) => [it + sample, sample + it])),
    ...samples.flatMap((sample) => [sample.slice(1), sample.slice(0, -1), sample + sample]),
  ]
}

function textOf({ prefix, pump, suffix }: Family, repeats: number): string {
  return prefix + pump.repeat(repeats) + suffix
}

function measure(program: Program, family: Family, characters: number): Finding | undefined {
  const repeats = Math.ceil(characters / family.pump.length) + 3
  const steps = (times: number) =>
    countSteps(program, textOf(family, times * repeats), times * times * STEP_LIMIT)?.steps
  const growth = (a: number, b: number, c: number) => (c - b) / (b - a)
  const once = steps(1)
  if (once === undefined) return { ...family, kind: 'limit' }
  const factor = once / (charactersOf(program, textOf(family, repeats)).length + 1)
  if (factor < LEAST_STEPS) return undefined
  const twice = steps(2)
  const four = twice === undefined ? undefined : steps(4)
  if (twice === undefined || four === undefined) return { ...family, kind: 'limit' }
  if (growth(once, twice, four) > MAX_GROWTH) {
    // Small numbers can mislead.
    const eight = steps(8)
    if (eight === undefined) return { ...family, kind: 'limit' }
    const later = growth(twice, four, eight)
    if (later > MAX_GROWTH) return { ...family, kind: 'growth', growth: later }
  }
  return factor > MAX_FACTOR ? { ...family, kind: 'factor' } : undefined
}

type Inner = AST.Alternative | AST.Element
type Repetition = { readonly node: AST.Quantifier; readonly path: readonly Step[] }
/** A node, and which of its children comes next. */
type Step = { readonly node: AST.Pattern | Inner; readonly child: number }

function childrenOf(node: AST.Pattern | Inner): readonly Inner[] {
  if ('alternatives' in node) return node.alternatives
  if (node.type === 'Alternative') return node.elements
  return node.type === 'Quantifier' ? [node.element] : []
}

function walk(
  node: AST.Pattern | Inner,
  visit: (node: AST.Pattern | Inner, path: readonly Step[]) => void,
  path: readonly Step[] = [],
): void {
  visit(node, path)
  for (const [child, inner] of childrenOf(node).entries())
    walk(inner, visit, [...path, { node, child }])
}

function repetitionsOf({ tree }: Program): Repetition[] {
  const found: Repetition[] = []
  walk(tree, (node, path) => {
    if (node.type === 'Quantifier' && node.max >= LOOP) found.push({ node, path })
  })
  return found
}

/** Linear without a measurement: no backreference, few ways to choose all repetitions, and at most
 *  one long repetition, of one set in no other, which begins at one position. */
function isPlain(program: Program): boolean {
  let ways = 1
  let hasReference = false
  walk(program.tree, (node) => {
    if (node.type === 'Backreference') hasReference = true
    if (node.type === 'Quantifier') ways *= Math.min(node.max, LOOP) - Math.min(node.min, LOOP) + 1
  })
  if (hasReference || ways > MAX_WAYS) return false
  const repetitions = repetitionsOf(program)
  const [only] = repetitions
  if (only === undefined) return true
  const isNested = only.path.some(({ node }) => node.type === 'Quantifier')
  return program.isAnchored && repetitions.length === 1 && !isNested && isSet(only.node.element)
}

function isSet(node: AST.Element): boolean {
  if (node.type === 'Group' || node.type === 'CapturingGroup') {
    const [only, ...others] = node.alternatives
    const [element, ...more] = only?.elements ?? []
    return element !== undefined && others.length + more.length === 0 && isSet(element)
  }
  return node.type.startsWith('Character')
}

/** One character of each kind that no set of the expression tells apart. */
function alphabetOf({ source, tree, sets, isUnicode }: Program): readonly string[] {
  const candidates = new Set([...CANDIDATES, ...(isUnicode ? [...source] : source.split(''))])
  for (const code of literalCodes(tree)) candidates.add(String.fromCodePoint(code))
  const byKind = new Map<string, string>()
  for (const character of candidates) {
    if (!isUnicode && character.length > 1) continue
    const kind = [...sets.values()].map((set) => (takes(set, character) ? '1' : '0')).join('')
    const edges = `${isWordCharacter(character)} ${isLineEnd(character)}`
    if (!byKind.has(`${kind} ${edges}`)) byKind.set(`${kind} ${edges}`, character)
  }
  return [...byKind.values()]
}

/** Of characters, also at the ends of ranges. */
function literalCodes(tree: AST.Pattern): number[] {
  const codes: number[] = []
  walk(tree, (node) => {
    if (node.type === 'Character') codes.push(node.value)
    if (node.type !== 'CharacterClass') return
    for (const element of node.elements) {
      if (element.type === 'Character') codes.push(element.value)
      if (element.type === 'CharacterClassRange') codes.push(element.min.value, element.max.value)
    }
  })
  return codes
}

/** At most `most` short texts that a node takes, of each alternative one. */
function samplesOf(
  program: Program,
  node: AST.Pattern | Inner,
  letters: readonly string[],
  most: number,
): string[] {
  const unique = (texts: readonly string[]) => [...new Set(texts)].slice(0, most)
  switch (node.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const set = program.sets.get(node.raw)
      const taken = set === undefined ? [] : letters.filter((letter) => takes(set, letter))
      return taken.length > 0 ? taken.slice(0, most) : ['']
    }
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return unique(node.alternatives.flatMap((it) => samplesOf(program, it, letters, 3)))
    case 'Alternative': {
      let texts = ['']
      for (const element of node.elements) {
        const next = samplesOf(program, element, letters, 3)
        const count = Math.max(texts.length, next.length)
        texts = unique(
          Array.from(
            { length: count },
            (_, i) => (texts[i % texts.length] ?? '') + (next[i % next.length] ?? ''),
          ),
        )
      }
      return texts
    }
    case 'Quantifier': {
      const times = Math.max(1, Math.min(node.min, 40))
      const texts = samplesOf(program, node.element, letters, 3).map((it) => it.repeat(times))
      return unique(node.min === 0 ? [...texts, ''] : texts)
    }
    case 'Assertion':
    case 'Backreference':
      return ['']
  }
}

function* familiesOf(program: Program): Generator<Family> {
  const letters = alphabetOf(program)
  const pumps = new Set(letters)
  const prefixes = new Set(program.isAnchored ? [''] : ['', ...letters])
  const starts = samplesOf(program, program.tree, letters, 6)
  for (const { node, path } of repetitionsOf(program)) {
    const parts = samplesOf(program, node.element, letters, 8)
    const start = startOf(program, path, letters)
    prefixes.add(start)
    for (const part of parts) {
      pumps.add(part)
      pumps.add(start + part)
      for (const other of parts) pumps.add(part + other)
    }
    for (const letter of letters) {
      pumps.add(start + letter)
      for (const part of parts.slice(0, 4).filter(({ length }) => length < 12)) {
        pumps.add(part + letter)
        pumps.add(letter + part)
      }
    }
    // The expression begins again and again.
    pumps.add(start)
  }
  if (letters.length <= 12)
    for (const one of letters) for (const other of letters) pumps.add(one + other)
  for (const start of starts) {
    pumps.add(start)
    prefixes.add(start)
  }
  pumps.delete('')
  const suffixes = new Set(['', '\n', '\0', ...letters.slice(-3), ...letters.slice(0, 4)])
  for (const pump of pumps)
    for (const prefix of prefixes) for (const suffix of suffixes) yield { prefix, pump, suffix }
}

/** What leads from the start of the expression to a node. */
function startOf(program: Program, path: readonly Step[], letters: readonly string[]): string {
  return path
    .flatMap(({ node, child }) =>
      node.type === 'Alternative' ? node.elements.slice(0, child) : [],
    )
    .map((element) => samplesOf(program, element, letters, 1)[0] ?? '')
    .join('')
}
