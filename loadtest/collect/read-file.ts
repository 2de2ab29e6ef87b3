// How quick one file is read, split and stored, beside `cat | wc -l` and the same lines posted over
// HTTP.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Verdict } from '../support/bench/verdicts.ts'
import { type EventGenerator, makeEvents } from '../support/events.ts'
import { makePost, runLoad } from '../support/http-load.ts'
import {
  type CollectingProduct,
  onCollectingProduct,
  printRoles,
  secondsUntil,
  sumOf,
} from './collecting-product.ts'

const LINES = 1_000_000
const ASKED_LINES_A_SECOND = 100_000
const SEED = 20_261_127
const BODY_LINES = 10_000
const CONNECTIONS = 4
const LIMIT_MS = 900_000
const WARM_UP_LINES = 50_000
const POLL = { limitMs: LIMIT_MS, everyMs: 200 }

type Kind = {
  readonly name: string
  readonly log: Readonly<Record<string, string>>
  nextLine(events: EventGenerator): string
}

const KINDS: readonly Kind[] = [
  { name: 'JSON', log: {}, nextLine: (events) => events.next() },
  {
    name: 'plain',
    log: {
      pattern:
        '{date:Date,yyyy-MM-dd HH:mm:ss.SSS} {priority:Level,DEBUG;INFO;WARN;ERROR} {string:Host} {string:Service} {string:Thread} {string:Trace} {number:Status} {number:Duration} {string:Message}',
      timeZone: 'UTC',
    },
    nextLine: plainLine,
  },
]

/** The same fields as a program would write them as text. */
function plainLine(events: EventGenerator): string {
  const event: Record<string, string | number> = JSON.parse(events.next())
  const time = String(event.timestamp).replace('T', ' ').replace('Z', '')
  const { level, host, service, thread, trace_id, status, duration_ms, message } = event
  return `${time} ${level} ${host} ${service} ${thread} ${trace_id} ${status} ${duration_ms} ${message}`
}

export async function measureFiles(share: number): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const kind of KINDS)
    verdicts.push(await onCollectingProduct((place) => measureOne(place, kind, share)))
  return verdicts
}

async function measureOne(place: CollectingProduct, kind: Kind, share: number): Promise<Verdict> {
  const lines = Math.round(LINES * share)
  const path = join(place.files, 'bench.log')
  writeLines(path, kind, lines)
  const bare = timeOfCat(path)
  const { search, sdk } = place
  // Code that was just loaded is not yet compiled.
  const warm = join(place.files, 'warm.log')
  writeLines(warm, kind, WARM_UP_LINES)
  await sdk('addLog', { name: 'warm', filePaths: warm, ...kind.log })
  const isWarm = async () => (await search.count('* in log.warm')) >= WARM_UP_LINES
  await secondsUntil('the first file', isWarm, POLL)
  const used = place.watchCpu()
  const startedMs = performance.now()
  await sdk('addLog', { name: 'bench', filePaths: path, ...kind.log })
  const isFound = async () => (await search.count('* in log.bench')) >= lines
  const isRead = async () =>
    (await place.metric('logeye_collect_events_total', 'accepted')) >= WARM_UP_LINES + lines
  const read = await secondsUntil('the file', isRead, POLL)
  await secondsUntil('its lines', isFound, POLL)
  const seconds = (performance.now() - startedMs) / 1000
  const cpu = used()
  const found = await search.count('* in log.bench')
  if (found !== lines) throw new Error(`${found} events of ${lines} lines`)
  console.log(
    `${kind.name}: ${lines} lines in ${seconds.toFixed(2)} s, durable after ${read.toFixed(2)}`,
  )
  console.log(`  ${(lines / seconds).toFixed(0)} lines/s until all are found, each once`)
  console.log(`  ${(lines / sumOf(cpu)).toFixed(0)} lines per CPU-second of all processes`)
  console.log(`  CPU us a line: ${printRoles(cpu, lines / 1e6)}`)
  console.log(`  cat | wc -l: ${(lines / bare).toFixed(0)} lines/s, ${ratio(seconds, bare)} times`)
  // Posted text meets no pattern: that would not be the same work.
  if (kind.log.pattern === undefined) {
    const ofPosts = place.watchCpu()
    const posted = await timeOfPosts(place, path, lines)
    const rate = (lines / posted).toFixed(0)
    console.log(
      `  posted over HTTP: ${rate} lines/s until found; the file ${ratio(posted, seconds)} times`,
    )
    console.log(`  CPU us a line of them: ${printRoles(ofPosts(), lines / 1e6)}`)
  }
  rmSync(path)
  return {
    ...{ name: `one file of ${kind.name} lines, read, split and stored`, unit: 'lines/s' },
    ...{ value: lines / seconds, asked: { least: ASKED_LINES_A_SECOND } },
  }
}

function ratio(a: number, b: number): string {
  return (a / b).toFixed(2)
}

function writeLines(path: string, kind: Kind, lines: number): void {
  const events = makeEvents(SEED)
  const file = openSync(path, 'w')
  for (let made = 0; made < lines; made += BODY_LINES) {
    const count = Math.min(BODY_LINES, lines - made)
    const part = Array.from({ length: count }, () => `${kind.nextLine(events)}\n`)
    writeSync(file, part.join(''))
  }
  closeSync(file)
}

/** Seconds. */
function timeOfCat(path: string): number {
  const startedMs = performance.now()
  const run = spawnSync('sh', ['-c', 'cat "$0" | wc -l', path])
  if (run.status !== 0) throw new Error('cat failed')
  return (performance.now() - startedMs) / 1000
}

/** Seconds until all are found; as text, one event a line. */
async function timeOfPosts(
  { product, search }: CollectingProduct,
  path: string,
  lines: number,
): Promise<number> {
  const target = `/logeye/api/logger.jsp?token=${product.secrets.token}&hostName=posted`
  const requests = bodiesOf(readFileSync(path)).map((body) => makePost(target, body))
  const startedMs = performance.now()
  const load = await runLoad({
    ...{ port: product.port, connections: CONNECTIONS, limitMs: LIMIT_MS },
    request: (number) => requests[number] ?? null,
  })
  if ((load.byStatus.get(200) ?? 0) !== requests.length) throw new Error('a post was refused')
  const isFound = async () => (await search.count('* in server.posted')) >= lines
  await secondsUntil('posts', isFound, POLL)
  return (performance.now() - startedMs) / 1000
}

function bodiesOf(bytes: Buffer): Buffer[] {
  const bodies: Buffer[] = []
  let from = 0
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    count += 1
    if (count % BODY_LINES !== 0) continue
    bodies.push(bytes.subarray(from, at + 1))
    from = at + 1
  }
  if (from < bytes.length) bodies.push(bytes.subarray(from))
  return bodies
}
