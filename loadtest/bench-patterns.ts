// What a template costs the writer: `npm run bench:patterns`. Lines of a real access log through
// the pattern of Apache, beside a regular expression written by hand, on the same lines in the same
// run. CPU time, the best of some rounds, so that a busy machine counts less.
import { readFileSync } from 'node:fs'
import { compilePattern } from '../ingest/patterns/match/compile-pattern.ts'
import { PatternMatcher } from '../ingest/patterns/match/pattern-matcher.ts'
import { TemplateMatcher } from '../ingest/patterns/match/template-matcher.ts'
import { makeAccountSplitter } from '../ingest/split/account-splitter.ts'
import { makeSplitEvent } from '../ingest/split/split-event.ts'
import { TemplateColumns } from '../ingest/split/template/template-columns.ts'
import { EventBlock, type RowPlace } from '../ingest/writer/native/event-block.ts'
import { BUILT_IN_TEMPLATES } from '../schemas/templates/built-in-templates.ts'
import { findTemplate } from '../schemas/templates/template.ts'
import { timeZone } from '../schemas/time/time-zone.ts'
import { makeAccount, makeEventInput } from '../test/support/ingest/split-event.ts'

const REPEATS = 400
const ROUNDS = 15
const RECEIVED_MS = Date.UTC(2026, 10, 24)
const AIM_LINES = 150_000
const AIM_US = 7
const EXPRESSION =
  /^([\d.:a-f]+) (\S+) (\S+) \[([^\]]+)\] "(GET|POST|HEAD|PUT|DELETE|OPTIONS|PATCH) ([^ ?]*)(?:\?(\S*))? (\S+)" (\d+) (\d+|-) "([^"]*)" "([^"]*)"$/

const sample = readFileSync('test/fixtures/logs/apache-access.log', 'utf8')
const body = Buffer.from(sample.repeat(REPEATS))
const ranges: number[] = []
for (let start = 0; start < body.length; ) {
  const end = body.indexOf(10, start)
  ranges.push(start, end)
  start = end + 1
}
const lines = ranges.length / 2
const texts = body.toString('utf8').split('\n').slice(0, -1)
const patterns = findTemplate(BUILT_IN_TEMPLATES, 'httpd access')?.patterns ?? []
const matcher = new PatternMatcher(compilePattern(patterns[0] ?? ''))
const columns = new TemplateColumns(new TemplateMatcher(patterns), timeZone('UTC'))
const splitter = makeAccountSplitter(makeAccount(), 'UTC')
const event = makeSplitEvent()
const input = makeEventInput({ body, isLine: true, receivedMs: RECEIVED_MS })

const block = new EventBlock()
const place: RowPlace = {
  ...{ slot: 0, admitColumn: () => true, intendedPath: '', receivedMs: RECEIVED_MS, source: '' },
  ...{ partition: 0, offset: 0, index: 0, body, start: 0, end: 0 },
}

const ways: readonly (readonly [name: string, run: () => number])[] = [
  ['RegExp on text', () => texts.reduce((sum, text) => sum + (EXPRESSION.exec(text) ? 1 : 0), 0)],
  ['RegExp on bytes', () => eachLine(matchText)],
  ['pattern, places alone', () => eachLine((start, end) => matcher.match(body, start, end))],
  [
    'pattern with values',
    () => eachLine((start, end) => matcher.read(body, start, end, RECEIVED_MS)),
  ],
  ['row, no template', () => eachRow(splitLine)],
  ['row, with template', () => eachRow(splitWithTemplate)],
]

const best = new Map<string, number>()
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of ways) {
    const before = process.cpuUsage()
    const fitting = run()
    const { user, system } = process.cpuUsage(before)
    if (fitting !== lines) throw new Error(`${name}: ${fitting} of ${lines} lines fit`)
    best.set(name, Math.min((user + system) / lines, best.get(name) ?? Number.POSITIVE_INFINITY))
  }
}
const usOf = (name: string) => best.get(name) ?? 0
process.stdout.write(`${lines} lines of ${Math.round(body.length / lines)} bytes\n`)
for (const [name, us] of best) {
  const rate = Math.round(1e6 / us).toLocaleString('en')
  const ratio = (usOf('RegExp on bytes') / us).toFixed(2)
  process.stdout.write(
    `${name.padEnd(28)} ${us.toFixed(2).padStart(6)} us a line ${rate.padStart(12)} lines a CPU second ${ratio.padStart(6)} x RegExp on bytes\n`,
  )
}
const cost = usOf('row, with template') - usOf('row, no template')
const isMet = cost <= AIM_US && 1e6 / usOf('pattern with values') >= AIM_LINES
process.stdout.write(
  `a template costs ${cost.toFixed(2)} us a line; aim at most ${AIM_US}, ${AIM_LINES.toLocaleString('en')} lines a CPU second: ${isMet ? 'met' : 'missed'}\n`,
)

function eachLine(run: (start: number, end: number) => boolean): number {
  let fitting = 0
  for (let i = 0; i < ranges.length; i += 2) if (run(ranges[i] ?? 0, ranges[i + 1] ?? 0)) fitting++
  return fitting
}

/** A row of the writer's block, with all its columns. */
function eachRow(run: (start: number, end: number) => boolean): number {
  block.reset()
  return eachLine((start, end) => {
    if (!run(start, end)) return false
    place.start = start
    place.end = end
    block.append(event, place)
    return true
  })
}

function matchText(start: number, end: number): boolean {
  return EXPRESSION.exec(body.toString('utf8', start, end)) !== null
}

function splitLine(start: number, end: number): boolean {
  input.start = start
  input.end = end
  splitter.split(event, input)
  return event.messageLength === end - start
}

function splitWithTemplate(start: number, end: number): boolean {
  return splitLine(start, end) && columns.add(event, RECEIVED_MS) > 0
}
