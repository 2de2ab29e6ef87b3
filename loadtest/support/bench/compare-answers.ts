// Product and peer hold the same events: counts of searches, groups, and whole events by their
// identifiers.
import { makeEvents } from '../events.ts'
import type { OwnPlace, PeerPlace } from './place.ts'
import { HOST } from './place.ts'

const SCOPE = `in server.${HOST}`
const WORDS: readonly (readonly [ours: string, peer: string])[] = [
  ['*', '*'],
  ['deadline', 'deadline'],
  ['"gave up after 3 retries"', '"gave up after 3 retries"'],
  ['payments error', 'service:=payments level:=ERROR'],
]
const GROUPS = ['level', 'service', 'status', 'host']
const SAMPLES = 20

/** What is not equal; `seeds`: of the events that both were sent in batches, and how many of
 *  each. */
export async function compareAnswers(
  own: OwnPlace,
  { peer }: PeerPlace,
  seeds: readonly { readonly seed: number; readonly events: number }[],
): Promise<string[]> {
  const wrong: string[] = []
  const peerCount = async (query: string) => {
    const [line = '{}'] = await peer.query(`${query} | stats count() rows`)
    return Number(/"rows":"(\d+)"/.exec(line)?.[1] ?? 0)
  }
  for (const [ours, theirs] of WORDS) {
    const query =
      ours === 'payments error' ? `service=payments level=ERROR ${SCOPE}` : `${ours} ${SCOPE}`
    const [mine, other] = [await own.search.count(query), await peerCount(theirs)]
    if (mine !== other) wrong.push(`${ours}: ${mine} here, ${other} at the peer`)
  }
  for (const column of GROUPS) {
    const mine = await ownGroups(own, column)
    const other = await peerGroups(peer, column)
    if (mine !== other) wrong.push(`by ${column}: ${mine} here, ${other} at the peer`)
  }
  for (const { seed, events } of seeds)
    for (const line of sampleOf(seed, events)) wrong.push(...(await compareEvent(own, peer, line)))
  return wrong
}

async function ownGroups(own: OwnPlace, column: string): Promise<string> {
  const query = `* ${SCOPE} | count | group by column.${column}`
  const answer = await own.search.search(query, { maxNumOfRecords: '1000' })
  return print(answer.rows.slice(1).map(([value = '', count = '']) => [value, Number(count)]))
}

async function peerGroups(peer: PeerPlace['peer'], column: string): Promise<string> {
  const lines = await peer.query(`* | stats by (${column}) count() rows`)
  return print(
    lines.map((line) => {
      const group = JSON.parse(line)
      return [String(group[column]), Number(group.rows)]
    }),
  )
}

function print(groups: (readonly [string, number])[]): string {
  return groups
    .map(([value, count]) => `${value}=${count}`)
    .sort()
    .join(' ')
}

function sampleOf(seed: number, count: number): string[] {
  const events = makeEvents(seed)
  const step = Math.max(1, Math.floor(count / SAMPLES))
  const samples: string[] = []
  for (let number = 0; number < count; number += 1) {
    const line = events.next()
    if (number % step === 0) samples.push(line)
  }
  return samples
}

/** Byte for byte here; the peer keeps fields, as texts. */
async function compareEvent(
  own: OwnPlace,
  peer: PeerPlace['peer'],
  line: string,
): Promise<string[]> {
  const sent = JSON.parse(line)
  const id = String(sent.trace_id)
  const answer = await own.search.search(`${id} ${SCOPE} | display only raw`)
  const raws = answer.rows.slice(1).map((row) => row[0])
  if (raws.length !== 1 || raws[0] !== line) return [`event ${id} reads back differently here`]
  const found = await peer.query(`trace_id:=${id}`)
  const [kept] = found.map((text) => JSON.parse(text))
  const { timestamp, message, ...others } = sent
  const isEqual =
    found.length === 1 &&
    kept._msg === message &&
    Date.parse(kept._time) === Date.parse(timestamp) &&
    Object.entries(others).every(([name, value]) => kept[name] === String(value))
  return isEqual ? [] : [`event ${id} reads back differently at the peer`]
}
