// What may have been meant by a part of a filter that no event passes, by what the newest events
// hold. Pure.
import { foldCase } from '../../../schemas/store/text-index.ts'
import { nearestWord } from '../nearest-word.ts'
import { patternText } from '../parse/input.ts'
import { printValue } from '../print/print-words.ts'
import type { Check, ColumnRef, Filter, Pattern, Test, Value } from '../tree.ts'

/** What the newest events hold. */
export type Held = { readonly words: readonly string[]; readonly values: readonly string[] }

export type SuggestedPart = {
  readonly filter: Filter
  /** Ends the message; '' for none. */
  readonly hint: string
  readonly nearest: string | null
}

const WORD = /[\p{L}\p{N}_]+/gu
/** Alternatives of an `or` that are looked at. */
const MAX_ALTERNATIVES = 4

export function columnOf(leaf: Filter): ColumnRef | undefined {
  if (leaf.kind === 'test') return leaf.column
  return leaf.kind === 'or' ? leaf.operands.map(columnOf).find((found) => found) : undefined
}

/** Whether the words of the newest events are asked for. */
export function wantsWords(leaf: Filter): boolean {
  if (leaf.kind === 'or') return leaf.operands.some(wantsWords)
  return leaf.kind === 'word' || leaf.kind === 'phrase'
}

/** The likeliest first. */
export function suggestParts(leaf: Filter, held: Held): readonly SuggestedPart[] {
  switch (leaf.kind) {
    case 'word':
      return ofWord(leaf, held.words)
    case 'phrase':
      return ofPhrase(leaf, held.words)
    case 'test':
      return ofTest(leaf, held.values)
    case 'or':
      return leaf.operands.slice(0, MAX_ALTERNATIVES).flatMap((operand) =>
        suggestParts(operand, held).map((suggested) => ({
          ...suggested,
          filter: {
            ...leaf,
            operands: leaf.operands.map((one) => (one === operand ? suggested.filter : one)),
          },
        })),
      )
    case 'and':
    case 'not':
    case 'scoped':
    case 'everything':
      return []
  }
}

function ofWord(leaf: Filter & { kind: 'word' }, words: readonly string[]): SuggestedPart[] {
  const text = patternText(leaf.pattern)
  const isPlain = leaf.pattern.every(({ kind }) => kind === 'text')
  const nearest = isPlain ? nearestWord(text, words) : undefined
  const wild: Pattern = [{ kind: 'run' }, { kind: 'text', text }, { kind: 'run' }]
  const inside = {
    filter: { ...leaf, pattern: wild },
    hint: '; it is a part of longer words',
    nearest: null,
  }
  const near =
    nearest === undefined
      ? []
      : [
          {
            filter: { ...leaf, pattern: plain(nearest) },
            hint: `; the nearest in the newest events is '${nearest}'`,
            nearest,
          },
        ]
  return isPlain && text.length > 1 ? [...near, inside] : near
}

function ofPhrase(leaf: Filter & { kind: 'phrase' }, words: readonly string[]): SuggestedPart[] {
  const known = new Set(words)
  const found = foldCase(leaf.text).match(WORD) ?? []
  const near = found.map((word) => (known.has(word) ? word : (nearestWord(word, words) ?? word)))
  const { start, end } = leaf
  const text = near.join(' ')
  const [first, ...more] = near.map(
    (word): Filter => ({ kind: 'word', pattern: plain(word), start, end }),
  )
  if (first === undefined) return []
  const apart: Filter =
    more.length === 0 ? first : { kind: 'and', operands: [first, ...more], start, end }
  const hint = `; the nearest words in the newest events are '${text}'`
  return [
    ...(text === foldCase(leaf.text) ? [] : [{ filter: { ...leaf, text }, hint, nearest: text }]),
    { filter: apart, hint: '; its words stand in other places', nearest: null },
  ]
}

function ofTest(leaf: Test, values: readonly string[]): SuggestedPart[] {
  const made = (check: Check, hint: string, nearest: string | null = null): SuggestedPart => ({
    filter: { ...leaf, check },
    hint,
    nearest,
  })
  const { check } = leaf
  switch (check.kind) {
    case 'compare': {
      if (check.operator === '!=') return []
      if (check.operator !== '=') return ofBound(check, values, made)
      const text = patternText(check.value.pattern)
      const near = nearOf(text, values)
      const holds = printedValue(check.value, text)
      return [
        ...(near === undefined
          ? []
          : [made({ ...check, value: printedValue(check.value, near) }, nearHint(near), near)]),
        ...(text === ''
          ? []
          : [
              made(
                { kind: 'text', operator: 'contains', isNegated: false, value: holds },
                '; values hold it beside other text',
              ),
            ]),
      ]
    }
    case 'text': {
      if (check.isNegated) return []
      const text = patternText(check.value.pattern)
      const inside = { ...check, operator: 'contains' } as const
      const words = values.flatMap((value) => foldCase(value).match(WORD) ?? [])
      const near = nearOf(text, values) ?? nearOf(text, words)
      return [
        ...(check.operator === 'contains' ? [] : [made(inside, '; values hold it elsewhere')]),
        ...(near === undefined
          ? []
          : [made({ ...inside, value: printedValue(check.value, near) }, nearHint(near), near)]),
      ]
    }
    case 'list': {
      if (check.isNegated) return []
      const near = check.values.map((value) => nearOf(patternText(value.pattern), values))
      const changed = check.values.map((value, at) => {
        const text = near[at]
        return text === undefined ? value : printedValue(value, text)
      })
      const [first] = near.filter((text) => text !== undefined)
      return first === undefined
        ? []
        : [made({ ...check, values: changed }, nearHint(first), first)]
    }
    case 'between': {
      const swapped = made({ ...check, low: check.high, high: check.low }, '; its ends are swapped')
      const [least, most] = endsOf(values)
      if (least === undefined || most === undefined) return [swapped]
      const low = printedValue(check.low, least)
      const high = printedValue(check.high, most)
      return [
        swapped,
        made({ ...check, low, high }, `; the newest events hold ${least} to ${most}`),
      ]
    }
    case 'matches':
    case 'column':
    case 'within':
    case 'exists':
    case 'subQuery':
      return []
  }
}

function ofBound(
  check: Check & { kind: 'compare' },
  values: readonly string[],
  made: (check: Check, hint: string, nearest: string | null) => SuggestedPart,
): SuggestedPart[] {
  const isLow = check.operator.startsWith('>')
  const [least, most] = endsOf(values)
  const end = isLow ? most : least
  if (end === undefined) return []
  const hint = `; the ${isLow ? 'largest' : 'smallest'} value in the newest events is '${end}'`
  const operator = isLow ? '>=' : '<='
  return [made({ ...check, operator, value: printedValue(check.value, end) }, hint, end)]
}

/** The smallest and the largest number. */
function endsOf(values: readonly string[]): readonly (string | undefined)[] {
  const numbers = values
    .filter((value) => value.trim() !== '' && Number.isFinite(Number(value)))
    .sort((a, b) => Number(a) - Number(b))
  return [numbers[0], numbers.at(-1)]
}

function nearOf(text: string, values: readonly string[]): string | undefined {
  const byFolded = new Map(values.map((value) => [value.toLowerCase(), value]))
  const nearest = nearestWord(text, [...byFolded.keys()])
  return nearest === undefined ? undefined : byFolded.get(nearest)
}

function nearHint(near: string): string {
  return `; the nearest value in the newest events is '${near}'`
}

function plain(text: string): Pattern {
  return [{ kind: 'text', text }]
}

function printedValue({ start, end }: Value, text: string): Value {
  const isQuoted = printValue(text) !== text
  return { kind: 'value', start, end, isQuoted, pattern: plain(text) }
}
