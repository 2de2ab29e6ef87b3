// Runs a query on both sides and says how the answers differ; a query that fails is made smaller
// while it fails in the same way.
import type { Store } from '../../../../infra/store/port.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { runForms } from '../../store/run-compiled.ts'
import { queryText, type RandomQuery } from '../random/random-query.ts'
import type { StoredWorld } from '../random/random-world.ts'
import { Refused, TooMany } from '../refusals.ts'
import { type Answer, evaluate } from './evaluate.ts'

/** `unsupported`: the compiler says that it does not do this yet; `refused`: it gives another
 *  error; `fails`: the reference does. */
export type Outcome =
  | { readonly kind: 'same'; readonly rows: number }
  | { readonly kind: 'unsupported' | 'refused' | 'fails' | 'differs'; readonly text: string }

export async function compareAnswers(
  store: Store,
  text: string,
  stored: StoredWorld,
): Promise<Outcome> {
  const expected = expectedAnswer(text, stored)
  let forms: Awaited<ReturnType<typeof runForms>>
  try {
    forms = await runForms(store, text, stored)
  } catch (error) {
    const reason = reasonOf(error)
    if (expected instanceof TooMany && /too_many/.test(reason)) return { kind: 'same', rows: 0 }
    if (expected instanceof Refused && /^search.query/.test(reason))
      return { kind: 'same', rows: 0 }
    return { kind: /not supported yet/.test(reason) ? 'unsupported' : 'refused', text: reason }
  }
  const { whole: actual, quick = actual } = forms
  // Of groups that a later stage leaves nothing of, the store counts none.
  if (expected instanceof TooMany && actual.rows.length === 0) return { kind: 'same', rows: 0 }
  if (expected instanceof Error) return { kind: 'fails', text: `the reference: ${expected}` }
  const difference = differenceOf(expected, actual) ?? differenceOf(expected, quick)
  return difference === null
    ? { kind: 'same', rows: actual.rows.length }
    : { kind: 'differs', text: difference }
}

function expectedAnswer(text: string, { world }: StoredWorld): Answer | Error {
  try {
    return evaluate(text, world)
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

function reasonOf(error: unknown): string {
  if (!isFailure(error)) return String(error)
  const cause = error.cause === undefined ? '' : ` <- ${String(error.cause).slice(0, 400)}`
  return `${error.code} ${JSON.stringify(error.details)}${cause}`
}

/** null: the same kind, columns, rows and cells in the same order. */
export function differenceOf(expected: Answer, actual: Answer): string | null {
  if (expected.kind !== actual.kind) return `expected ${expected.kind}, got ${actual.kind}`
  const [columns, own] = [expected.columns, actual.columns].map((list) => JSON.stringify(list))
  if (columns !== own)
    return `columns\n  expected ${columns?.slice(0, 2000)}\n  got      ${own?.slice(0, 2000)}`
  const place = Array.from(
    { length: Math.max(expected.rows.length, actual.rows.length) },
    (_, index) => index,
  ).find((index) => !sameRow(expected.rows[index], actual.rows[index]))
  if (place === undefined) return null
  const title = `row ${place + 1} of ${expected.rows.length} expected, ${actual.rows.length} got`
  const [row, got] = [expected.rows[place], actual.rows[place]]
  if (!row || !got || row.length > FEW_CELLS) {
    const cells = expected.columns.flatMap((name, index) => {
      const [a, b] = [row?.[index], got?.[index]]
      return a !== undefined && b !== undefined && sameCell(a, b)
        ? []
        : [`  ${name}: ${cut(a)} <> ${cut(b)}`]
    })
    return [title, ...cells.slice(0, FEW_CELLS)].join('\n')
  }
  const near = (rows: Answer['rows']) =>
    rows.slice(place, place + 3).map((cells) => `    ${cells.map(cut).join(' | ')}`)
  return [
    `${title}; columns ${columns}`,
    '  expected',
    ...near(expected.rows),
    '  got',
    ...near(actual.rows),
  ].join('\n')
}

const FEW_CELLS = 12
const LONGEST_CELL = 80

function cut(cell: string | undefined): string {
  return cell === undefined ? 'no row' : JSON.stringify(cell).slice(0, LONGEST_CELL)
}

function sameRow(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  if (!a || !b) return false
  return a.length === b.length && a.every((cell, index) => sameCell(cell, b[index] ?? ''))
}

/** Sums are exact by the choice of numbers; roots and quotients may differ after the thirteenth
 *  digit. */
function sameCell(a: string, b: string): boolean {
  if (a === b) return true
  const long = /^-?\d+\.\d{9,}(?:e[+-]\d+)?$/
  if (!long.test(a) && !long.test(b)) return false
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= 1e-12 * Math.max(Math.abs(x), Math.abs(y))
}

/** The same failure with fewer stages, fewer items, a shorter source and fewer logs. */
export async function shrink(
  store: Store,
  query: RandomQuery,
  stored: StoredWorld,
  failure: Outcome,
): Promise<{ text: string; stored: StoredWorld; outcome: Outcome }> {
  let best = query
  let world = stored
  let outcome = await compareAnswers(store, queryText(best), world)
  for (let round = 0; round < 6; round += 1) {
    let isSmaller = false
    for (const candidate of smaller(best)) {
      const tried = await compareAnswers(store, queryText(candidate), world)
      if (!isAlike(tried, failure)) continue
      best = candidate
      outcome = tried
      isSmaller = true
      break
    }
    if (isSmaller) {
      round -= 1
      continue
    }
    const fewer = await withFewerLogs(store, queryText(best), world, failure)
    if (fewer) [world, outcome] = fewer
    else break
  }
  return { text: queryText(best), stored: world, outcome }
}

/** Errors are alike when they say the same, numbers left out. */
function isAlike(a: Outcome, b: Outcome): boolean {
  if (a.kind === 'same' || b.kind === 'same' || a.kind !== b.kind) return false
  const words = (text: string) => text.replace(/\d+|'[^']*'/g, '').slice(0, 120)
  return a.kind === 'differs' || words(a.text) === words(b.text)
}

function* smaller({ source, stages }: RandomQuery): Generator<RandomQuery> {
  for (const index of stages.keys()) {
    yield { source, stages: stages.filter((_, own) => own !== index) }
  }
  if (source !== '*' && !source.startsWith('transaction(')) {
    yield { source: '*', stages }
    for (const [, inner = ''] of source.matchAll(/\(([^()]+)\)/g)) yield { source: inner, stages }
    const words = source.split(/ (?:OR|AND) /)
    if (words.length > 1) for (const word of words) yield { source: word, stages }
  }
  for (const [index, stage] of stages.entries()) {
    const parts = stage.split(/, | \| (?=group by|interval)| (?=group by|interval)/)
    if (parts.length < 2) continue
    for (const part of parts.keys()) {
      const head = part === 0 ? (/^(?:display only|[a-z]+(?: by)?) /.exec(stage)?.[0] ?? '') : ''
      const left = parts.filter((_, own) => own !== part)
      const made = left
        .map((text, own) =>
          own === 0 ? text : /^(?:group by|interval)/.test(text) ? ` ${text}` : `, ${text}`,
        )
        .join('')
      const kept = /^(?:display|list|order by|dedup)/.test(head) ? `${head}${made}` : made
      yield { source, stages: stages.map((own, at) => (at === index ? kept : own)) }
    }
  }
}

async function withFewerLogs(
  store: Store,
  text: string,
  stored: StoredWorld,
  failure: Outcome,
): Promise<[StoredWorld, Outcome] | null> {
  const { logs } = stored.world
  if (logs.length < 2) return null
  for (const gone of logs) {
    const world = { ...stored.world, logs: logs.filter((log) => log !== gone) }
    const tried = await compareAnswers(store, text, { ...stored, world })
    if (isAlike(tried, failure)) return [{ ...stored, world }, tried]
  }
  return null
}
