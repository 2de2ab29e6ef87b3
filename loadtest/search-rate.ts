// How many whole searches a second, each with user name and password: `npx tsx
// loadtest/search-rate.ts`. Beside it in the same run: calls that end after the sign-in, and the
// bare answer of a small page. Options: --seconds 5, --callers 8, --events 1000.
import { Agent, get } from 'node:http'
import { parseArgs } from 'node:util'
import { makeSearchClient } from '../test/support/clients/search-client.ts'
import { cpuSeconds } from '../test/support/machine/process-usage.ts'
import type { Product } from '../test/support/product/product.ts'
import { makeEvents } from './support/events.ts'
import { onFreshProduct } from './support/on-fresh-product.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    callers: { type: 'string', default: '8' },
    events: { type: 'string', default: '1000' },
  },
})
const seconds = Number(values.seconds)
const callers = Number(values.callers)
const events = Number(values.events)
const WAIT_MS = 60_000

const agent = new Agent({ keepAlive: true, maxSockets: callers })

await onFreshProduct('rate', async (product) => {
  const { token, password } = product.secrets
  const generator = makeEvents(7, Date.now() - events * 2)
  const body = Array.from({ length: events }, () => generator.next()).join('\n')
  await fetch(`${product.url}/logeye/api/logger.jsp?token=${token}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  const client = makeSearchClient(product.url, password)
  const until = performance.now() + WAIT_MS
  while ((await client.count('*')) < events) {
    if (performance.now() > until) throw new Error('the events are not searchable')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const fields = { widgetId: 'searchAPI', autoLogin: 'true', username: 'admin', password }
  const address = (more: Record<string, string>) =>
    `${product.url}/logeye/view/api/widgetAPI.jsp?${new URLSearchParams({ ...fields, ...more })}`
  const search = { searchQuery: 'payment declined', fixedInterval: 'last15Minutes' }
  const newest = address({ ...search, maxNumOfRecords: '10' })
  const measures = [
    { name: 'a small page', url: `${product.url}/logeye/restapi/version`, holds: '"success":true' },
    {
      name: 'signed in, then a wrong parameter',
      url: address({ ...search, timeout: 'x' }),
      holds: 'code="1"',
    },
    { name: 'search, newest 10', url: newest, holds: 'numberOfResults="10"' },
    {
      name: 'count',
      url: address({ ...search, searchQuery: '* | count' }),
      holds: `${events}`,
    },
  ]
  // The first round warms; the second counts.
  for (const isWarm of [false, true]) {
    let bare = 0
    for (const { name, url, holds } of measures) {
      const before = usage(product)
      const rate = await run(url, holds)
      bare ||= rate
      if (!isWarm) continue
      const after = usage(product)
      const calls = rate * seconds
      const cpu = [...after].map(
        ([role, used]) =>
          `${role} ${(((used - (before.get(role) ?? 0)) * 1000) / calls).toFixed(1)}`,
      )
      console.log(
        `${name}: ${rate.toFixed(0)}/s, ${((100 * rate) / bare).toFixed(1)} % of the small page; CPU ms a call: ${cpu.join(', ')}`,
      )
    }
  }
  return []
})

/** Right answers a second. */
async function run(url: string, holds: string): Promise<number> {
  const started = performance.now()
  let answered = 0
  const caller = async () => {
    while (performance.now() - started < seconds * 1000) {
      const text = await read(url)
      if (!text.includes(holds))
        throw new Error(`not the answer that was asked for: ${text.slice(0, 300)}`)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (answered * 1000) / (performance.now() - started)
}

function read(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, timeout: WAIT_MS }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', reject)
  })
}

function usage(product: Product): Map<string, number> {
  const { user, system } = process.cpuUsage()
  const roles = product.processes().map(({ role, pid }) => [role, cpuSeconds(pid)] as const)
  return new Map([...roles, ['sender', (user + system) / 1e6]])
}
