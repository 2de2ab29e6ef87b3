// Ingest alone, then beside eight searches at a time: it keeps half its rate and loses nothing.

import { makeEvents } from '../events.ts'
import { makePost, runLoad } from '../http-load.ts'
import { waitForCount } from '../measure.ts'
import { makeSearchClient } from '../search-client.ts'
import type { Loaded } from './load-data.ts'
import { OurClient } from './our-client.ts'
import { READER } from './prepare-users.ts'

const SEARCHES = 8
const LINES = 2000
const PHASE_MS = 10_000
const SETTLE_MS = 120_000
const KEPT_SHARE = 0.5
const QUERIES = ['deadline', '"deadline exceeded" | count', '* | count | group by level', '404']

export async function measureIngest({ product }: Loaded): Promise<string[]> {
  const { port, secrets, url } = product
  const events = makeEvents(Date.now())
  const log = `load-${Date.now()}`
  const path = `/logeye/api/logger.jsp?token=${secrets.token}&hostName=bench`
  const nextBody = () => {
    let body = ''
    for (let line = 0; line < LINES; line += 1)
      body += `${events.next().slice(0, -1)},"productPath":"Many","productName":"${log}"}\n`
    return makePost(path, Buffer.from(body))
  }
  const send = async () => {
    const load = await runLoad({ port, connections: 4, request: nextBody, limitMs: PHASE_MS })
    return { sent: load.acknowledged.length * LINES, seconds: load.elapsedMs / 1000 }
  }
  const alone = await send()
  let isOver = false
  let searches = 0
  const failed: string[] = []
  const searchers = Array.from({ length: SEARCHES }, async () => {
    const client = new OurClient(port, READER)
    for (let at = 0; !isOver; at += 1) {
      await client
        .search(QUERIES[at % QUERIES.length] ?? '*')
        .catch((error: unknown) => failed.push(String(error)))
      searches += 1
    }
    client.close()
  })
  const beside = await send()
  isOver = true
  await Promise.all(searchers)
  const expected = alone.sent + beside.sent
  const found = await waitForCount(
    makeSearchClient(url, secrets.password),
    `* in log.${log}`,
    expected,
    SETTLE_MS,
  )
  const [aloneRate, besideRate] = [alone.sent / alone.seconds, beside.sent / beside.seconds]
  const text = `ingest ${aloneRate.toFixed(0)} events/s alone, ${besideRate.toFixed(0)} beside ${SEARCHES} searches (${((besideRate / aloneRate) * 100).toFixed(0)} %); ${searches} searches, ${failed.length} failed; ${found} of ${expected} events found`
  console.log(text)
  const isAsAsked =
    besideRate >= aloneRate * KEPT_SHARE && found === expected && failed.length === 0
  return isAsAsked ? [] : [text]
}
