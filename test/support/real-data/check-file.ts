// One file sent in one shape to a log of its own, and everything that a search says about that log
// compared with the file.
import type { SearchClient } from '../clients/search-client.ts'
import { waitUntil } from '../run/wait-until.ts'
import { type Body, eventBytes, makeBodies, type Shape } from './body-shapes.ts'
import type { DataFile } from './data-files.ts'
import { type ExpectedEvent, findTimeKey, readExpectedEvent } from './expected-event.ts'

export type Target = {
  readonly url: string
  readonly search: SearchClient
  /** A new listener account; its token. */
  addListener(given: Readonly<Record<string, string>>): Promise<string>
}

export type FileReport = {
  readonly file: string
  readonly shape: Shape
  readonly log: string
  readonly events: number
  readonly counted: number
  readonly sameRaw: number
  readonly sameTime: number
  readonly cells: number
  readonly words: number
  /** What differs, at most 20. */
  readonly problems: readonly string[]
}

/** Inline answers hold 1 MiB. */
const PAGE_BYTES = 400_000
const SAMPLED_EVENTS = 40
const SAMPLED_WORDS = 12
const MAX_PROBLEMS = 20
const BUILT_IN = new Set([
  ...['timestamp', 'date', 'log', 'folder', 'host', 'server', 'source', 'file'],
  ...['apptags', 'app', 'apptag', 'message', 'raw', 'size'],
])

/** `log` must be a new name. JSON files get it by the account (their bytes stay as they are), lines
 *  by `productName`. */
export async function checkFile(
  target: Target,
  file: DataFile,
  shape: Shape,
  log: string,
): Promise<FileReport> {
  const raws = eventBytes(file, log)
  const timeKey = file.kind === 'json' && raws[0] ? findTimeKey(raws[0]) : ''
  const expected = raws.map((raw) => readExpectedEvent(raw, timeKey))
  const problems = new Problems()
  const token = await target.addListener({
    name: `${log} account`,
    timeKey,
    ...(file.kind === 'json' ? { logNamePrefix: log } : {}),
  })
  const startMs = Date.now()
  for (const body of makeBodies(file, raws, shape)) await send(target, token, body)
  const counted = await waitForCount(target.search, log, expected.length)
  if (counted !== expected.length) problems.add(`${counted} of ${expected.length} events counted`)

  const inOrder = newestFirst(expected)
  let sameRaw = 0
  let sameTime = 0
  let at = 0
  for (const rows of await readPages(target.search, log, inOrder, problems)) {
    for (const [time = '', raw = ''] of rows) {
      const event = inOrder[at]
      if (event && Buffer.from(raw).equals(event.raw)) sameRaw += 1
      else problems.add(`raw of event ${at}: ${raw.slice(0, 200)}`)
      if (event && isRightTime(time, event, startMs)) sameTime += 1
      else
        problems.add(`time of event ${at}: ${time} instead of ${event?.time ?? 'that of receipt'}`)
      at += 1
    }
  }
  const cells = await checkCells(target.search, log, inOrder, problems)
  const words = await checkWords(target.search, log, expected, problems)
  return {
    ...{
      file: file.name,
      shape,
      log,
      events: expected.length,
      counted,
      sameRaw,
      sameTime,
      cells,
      words,
    },
    problems: problems.all,
  }
}

class Problems {
  readonly all: string[] = []
  add(problem: string): void {
    if (this.all.length < MAX_PROBLEMS) this.all.push(problem)
  }
}

async function send(target: Target, token: string, body: Body): Promise<void> {
  const answer = await fetch(`${target.url}/logeye/api/logger.jsp?token=${token}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(body.encoding === '' ? {} : { 'content-encoding': body.encoding }),
    },
    body: body.bytes,
    signal: AbortSignal.timeout(60_000),
  })
  const said: unknown = await answer.json()
  const told = JSON.stringify(said)
  const isTaken = told.includes(
    `"code":0,"received":${body.events},"accepted":${body.events},"rejected":0`,
  )
  if (answer.status !== 200 || !isTaken)
    throw new Error(`ingest answered ${answer.status} ${told.slice(0, 500)}`)
}

async function waitForCount(search: SearchClient, log: string, count: number): Promise<number> {
  let found = 0
  const areThere = async () => {
    found = await search.count(`* in log."${log}"`)
    return found >= count
  }
  await waitUntil(`${count} events of ${log} are found`, areThere, () => found)
  return found
}

/** Ties, also those of the time of receipt, in reverse order of arrival (decision 2.8). */
function newestFirst(events: readonly ExpectedEvent[]): ExpectedEvent[] {
  return events
    .map((event, at) => ({ event, at }))
    .sort((a, b) => Number(b.event.nanos - a.event.nanos) || b.at - a.at)
    .map(({ event }) => event)
}

/** Pages by offset, as many events as an inline answer can hold. */
async function readPages(
  search: SearchClient,
  log: string,
  events: readonly ExpectedEvent[],
  problems: Problems,
): Promise<string[][][]> {
  const pages: string[][][] = []
  for (let from = 0; from < events.length; ) {
    let to = from
    for (let bytes = 0; to < events.length && bytes < PAGE_BYTES; to += 1)
      bytes += 2 * (events[to]?.raw.length ?? 0) + 40
    const answer = await search.search(
      `* in log."${log}" | limit ${to - from} offset ${from} | display only timestamp, raw`,
      { maxNumOfRecords: String(to - from) },
    )
    if (answer.numberOfResults !== to - from)
      problems.add(
        `${answer.numberOfResults} instead of ${to - from} events from ${from}: ${answer.message}`,
      )
    pages.push(answer.rows.slice(1))
    from = to
  }
  return pages
}

function isRightTime(printed: string, event: ExpectedEvent, startMs: number): boolean {
  if (event.time !== undefined) return printed === event.time
  const ms = Date.parse(`${printed}Z`)
  return ms >= startMs && ms <= Date.now()
}

/** Columns of some events, spread over the whole; the number of cells compared. */
async function checkCells(
  search: SearchClient,
  log: string,
  inOrder: readonly ExpectedEvent[],
  problems: Problems,
): Promise<number> {
  let compared = 0
  const step = Math.max(1, Math.ceil(inOrder.length / SAMPLED_EVENTS))
  for (let at = 0; at < inOrder.length; at += step) {
    const answer = await search.search(`* in log."${log}" | limit 1 offset ${at}`)
    const [names = [], row = []] = answer.rows
    if (answer.state !== 'OK') problems.add(`columns of event ${at}: ${answer.message}`)
    for (const [name, value] of inOrder[at]?.cells ?? []) {
      const isHidden = BUILT_IN.has(name.toLowerCase())
      // An empty text counts as missing; a column that only empty texts have shown may be absent.
      const got = isHidden
        ? await readHiddenCell(search, log, at, name)
        : (row[names.indexOf(name)] ?? '')
      compared += 1
      if (got !== value) problems.add(`${name} of event ${at}: ${got} instead of ${value}`)
    }
  }
  return compared
}

/** A built-in column of the same name stands before a parsed one, which `column.` reaches. */
async function readHiddenCell(
  search: SearchClient,
  log: string,
  at: number,
  name: string,
): Promise<string | undefined> {
  const answer = await search.search(
    `* in log."${log}" | limit 1 offset ${at} | list column.${name}`,
  )
  return answer.rows[1]?.[0]
}

/** Counts of words from rare to frequent, non-ASCII ones first. */
async function checkWords(
  search: SearchClient,
  log: string,
  events: readonly ExpectedEvent[],
  problems: Problems,
): Promise<number> {
  const counts = new Map<string, number>()
  for (const event of events)
    for (const word of event.words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const isAscii = (word: string) => /^[\w]+$/.test(word)
  const byCount = [...counts.keys()].sort(
    (a, b) =>
      Number(isAscii(a)) - Number(isAscii(b)) || (counts.get(a) ?? 0) - (counts.get(b) ?? 0),
  )
  const step = Math.max(1, Math.floor(byCount.length / SAMPLED_WORDS))
  const chosen = [...byCount.slice(0, 3), ...byCount.filter((_, at) => at % step === step - 1)]
  for (const word of chosen) {
    const found = await search.count(`"${word}" in log."${log}"`)
    if (found !== counts.get(word))
      problems.add(`word ${word}: ${found} instead of ${counts.get(word)}`)
  }
  return chosen.length
}
