// What becomes of a query with one typing mistake: `npx tsx loadtest/language-mutations.ts
// [queries] [seed]`. Valid random queries that find something get one mistake each, and are
// evaluated by the reference over events in memory. Printed are the shares of an error, a warning,
// the same rows, and other rows without a word, by what was hit; and the last ones by kind, each
// with its number and examples; and the valid queries that warn without a mistake.
import { readQuery } from '../query/language/read-query.ts'
import { isFailure } from '../schemas/failures.ts'
import type { Warning } from '../schemas/warning.ts'
import { type Hit, type Mutation, mutate } from '../test/support/reference/random/mutate.ts'
import {
  EVENT_COLUMNS,
  INTERVALS,
  SCOPES,
  WORDS,
} from '../test/support/reference/random/query-columns.ts'
import { makeRandom, type Random } from '../test/support/reference/random/random.ts'
import { queryText, randomQuery } from '../test/support/reference/random/random-query.ts'
import { makeWorld, type StoredWorld } from '../test/support/reference/random/random-world.ts'
import { type Answer, evaluate } from '../test/support/reference/run/evaluate.ts'
import { printMoment } from '../test/support/reference/zone.ts'

const [count = 10_000, seed = 19] = process.argv.slice(2).map(Number)
const HOUR_MS = 3_600_000
const EXAMPLES = 6

type End = 'error' | 'warning' | 'same' | 'silent'
const ENDS: readonly End[] = ['error', 'warning', 'same', 'silent']
/** Of these a mistake makes another question, or another title. */
const APART: readonly Hit[] = ['text', 'new name']

const WORLDS = [
  { zone: 'America/New_York', startMs: Date.UTC(2026, 2, 7, 3), lengthMs: 72 * HOUR_MS },
  { zone: 'Asia/Kolkata', startMs: Date.UTC(2026, 4, 1, 20, 7), lengthMs: 3 * HOUR_MS },
].map((options, at) =>
  makeWorld({ ...options, seed: 1 + at, events: 90, firstLogId: 100 * (at + 1) }),
)

const OPTIONS = {
  columns: EVENT_COLUMNS,
  words: WORDS,
  scopes: SCOPES,
  intervals: INTERVALS,
  transactionKeys: ['User', 'Remote IP', 'log', 'Status'],
}

const ends = new Map<string, number>()
const kinds = new Map<string, { count: number; readonly examples: string[] }>()
let judged = 0
/** Valid queries that warn, by code, with examples. */
const warned = new Map<string, { count: number; readonly examples: string[] }>()
let valid = 0
for (let number = 0; judged < count && number < 20 * count; number += 1) {
  const random = makeRandom(seed * 1_000_003 + number)
  const stored = random.pick(WORLDS)
  const text = queryText(randomQuery(random, { ...OPTIONS, times: timesOf(stored, random) }))
  const before = answerOf(text, stored)
  if (before === undefined || before.rows.length === 0) continue
  const read = reading(text, stored)
  if (read === undefined) continue
  valid += 1
  noteValid(text, read.warnings)
  if (read.warnings.length > 0) continue
  const mutation = mutate(text, read.query, random)
  if (mutation === undefined) continue
  judged += 1
  note(mutation, endOf(mutation.text, before, stored), text)
}
print()

function timesOf({ world }: StoredWorld, random: Random): string[] {
  return Array.from({ length: 6 }, () => {
    const ms = Math.floor(random.pick(world.events).timestampMs)
    return `"${printMoment(Math.floor(ms / 1000) * 1000, world.zone)}"`
  })
}

/** Undefined for a query that fails. */
function answerOf(text: string, { world }: StoredWorld): Answer | undefined {
  try {
    return evaluate(text, world)
  } catch {
    return undefined
  }
}

/** Undefined for one that is refused. */
function reading(
  text: string,
  { world, columns }: StoredWorld,
): ReturnType<typeof readQuery> | undefined {
  try {
    return readQuery({ text, visibleLogs: world.logs, columns })
  } catch (error) {
    if (!isFailure(error)) throw error
    return undefined
  }
}

function noteValid(text: string, warnings: readonly Warning[]): void {
  for (const { code, message } of new Map(warnings.map((each) => [each.code, each])).values()) {
    const listed = warned.get(code) ?? { count: 0, examples: [] }
    listed.count += 1
    if (listed.examples.length < EXAMPLES) listed.examples.push(`  ${text}\n  ${message}`)
    warned.set(code, listed)
  }
}

function endOf(text: string, before: Answer, stored: StoredWorld): End {
  const read = reading(text, stored)
  if (read === undefined) return 'error'
  if (read.warnings.length > 0) return 'warning'
  const after = answerOf(text, stored)
  if (after === undefined) return 'error'
  return JSON.stringify(after) === JSON.stringify(before) ? 'same' : 'silent'
}

function note(mutation: Mutation, end: End, before: string): void {
  const { hit, text } = mutation
  const key = `${hit}/${end}`
  ends.set(key, (ends.get(key) ?? 0) + 1)
  if (end !== 'silent' || APART.includes(hit)) return
  const kind = kindOf(mutation)
  const listed = kinds.get(kind) ?? { count: 0, examples: [] }
  listed.count += 1
  if (listed.examples.length < EXAMPLES) listed.examples.push(`  ${before}\n  ${text}`)
  kinds.set(kind, listed)
}

/** `keyword not dropped`, `operator != became =`. */
function kindOf({ hit, mistake, from, to }: Mutation): string {
  const word = hit === 'name' ? '' : ` ${from.toLowerCase()}`
  if (to === '') return `${hit}${word} dropped`
  if (hit === 'operator') return `${hit} ${from} became ${to}`
  return `${hit}${word} ${mistake === 'dropped' ? 'without a letter' : mistake}`
}

function print(): void {
  const hits: readonly Hit[] = ['keyword', 'name', 'operator', 'punctuation', ...APART]
  for (const [kind, listed] of [...kinds].sort(([, a], [, b]) => b.count - a.count))
    process.stdout.write(`${kind} (${listed.count}):\n${listed.examples.join('\n\n')}\n\n`)
  process.stdout.write(
    `${judged} queries, seed ${seed}\n| hit | ${ENDS.join(' | ')} | of |\n|---|---|---|---|---|---|\n`,
  )
  let silent = 0
  let all = 0
  for (const hit of hits) {
    const each = ENDS.map((end) => ends.get(`${hit}/${end}`) ?? 0)
    const sum = each.reduce((a, b) => a + b, 0)
    const shares = each.map((one) => `${((100 * one) / Math.max(1, sum)).toFixed(1)} %`)
    process.stdout.write(`| ${hit} | ${shares.join(' | ')} | ${sum} |\n`)
    if (APART.includes(hit)) continue
    silent += each.at(-1) ?? 0
    all += sum
  }
  const share = (100 * silent) / Math.max(1, all)
  process.stdout.write(`silently another result: ${silent} of ${all} (${share.toFixed(2)} %)\n`)
  for (const [code, listed] of warned)
    process.stdout.write(
      `${code}, of ${listed.count} of ${valid} valid queries:\n${listed.examples.join('\n\n')}\n`,
    )
}
