// What the public search gives of what was sent: each acknowledged event once, byte for byte, in
// the order of its sender, and none more.
import type { SearchClient } from '../../../test/support/clients/search-client.ts'
import type { Finding } from './finding.ts'
import { eventText, hasOwnTime, hostOf, numberIn } from './numbered-events.ts'
import type { Sent } from './senders.ts'

const SHOWN_CHARACTERS = 200
const MAX_OF_A_KIND = 1000

export type Reader = {
  readonly url: string
  readonly password: string
  readonly search: SearchClient
}

/** Everything found wrong in what one sender sent in one round. */
export async function readBack(reader: Reader, sent: Sent): Promise<Finding[]> {
  const host = hostOf(sent)
  const raws = await exportRaws(
    reader,
    `* in server.${host}${hasOwnTime(sent) ? ' | order by timestamp' : ''}`,
  )
  return compare(raws, sent)
}

/** `raws` as the search gave them. */
export function compare(raws: readonly string[], sent: Sent): Finding[] {
  const host = hostOf(sent)
  const findings = new Findings()
  const times = new Uint32Array(sent.events)
  let before = -1
  for (const raw of raws) {
    const number = numberIn(raw)
    if (number === undefined || number >= sent.events) {
      findings.add({ kind: 'foreign', host, text: raw.slice(0, SHOWN_CHARACTERS) })
      continue
    }
    times[number] = (times[number] ?? 0) + 1
    if (raw !== eventText(sent, number)) findings.add({ kind: 'changed', host, number })
    if (hasOwnTime(sent) && number < before)
      findings.add({ kind: 'disordered', host, text: `${number} behind ${before}` })
    before = number
  }
  for (const [number, found] of times.entries()) {
    if (found === 0) findings.add({ kind: 'lost', host, number })
    for (let more = 1; more < found; more += 1) findings.add({ kind: 'doubled', host, number })
  }
  return findings.all
}

/** The product's own counters of events against the events that are there. `gone`: those that are
 *  rightly no more. */
export async function checkCounters(search: SearchClient, gone = 0): Promise<Finding[]> {
  const answer = await search.search('* | datastream | group by source', {
    maxNumOfRecords: '100000',
  })
  if (answer.state !== 'OK') throw new Error(`the counters cannot be read: ${answer.message}`)
  const eventsAt = answer.rows[0]?.indexOf('events') ?? -1
  const counted = answer.rows.slice(1).reduce((sum, row) => sum + Number(row[eventsAt] ?? 0), 0)
  const there = await search.count('*')
  if (counted - gone === there) return []
  return [
    {
      kind: 'miscounted',
      host: '',
      text: `counters say ${counted} events, ${gone} are gone, there are ${there}`,
    },
  ]
}

/** Events as they were sent. */
export async function exportRaws({ url, password }: Reader, query: string): Promise<string[]> {
  const answer = await fetch(`${url}/logeye/view/api/widgetAPI.jsp`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{
        widgetId: 'searchAPI',
        fixedInterval: 'allData',
        resultFormat: 'json',
        autoLogin: 'true',
      },
      searchQuery: `${query} | display only raw`,
      username: 'admin',
      password,
    }),
    signal: AbortSignal.timeout(120_000),
  })
  const text = await answer.text()
  if (!answer.headers.get('content-type')?.includes('ndjson'))
    throw new Error(`events cannot be read back: ${text.slice(0, SHOWN_CHARACTERS)}`)
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const row: unknown = JSON.parse(line)
    return typeof row === 'object' && row !== null && 'raw' in row ? String(row.raw) : ''
  })
}

/** A thousand of one kind say no more than a hundred. Losses and doubles are counted all. */
class Findings {
  readonly all: Finding[] = []
  readonly #times = new Map<string, number>()

  add(finding: Finding): void {
    const { kind } = finding
    const times = (this.#times.get(kind) ?? 0) + 1
    this.#times.set(kind, times)
    if (kind === 'lost' || kind === 'doubled' || times <= MAX_OF_A_KIND) this.all.push(finding)
  }
}
