// How long a change takes until every front process goes by it: an account that is disabled and
// enabled again, a setting of the search.
//   npx tsx loadtest/change-latency.ts [--rounds 20] [--fronts 2]
// From the answer to the change until the last answer that still goes by what was before. Posts
// come over new connections, searches over several: any process may have them.
// Exits 1 when one takes longer than a second.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { callSdk } from '../test/support/clients/sdk-client.ts'
import { makeSearchClient } from '../test/support/clients/search-client.ts'
import type { Product } from '../test/support/product/product.ts'
import { median } from './support/bench/verdicts.ts'
import { onFreshProduct } from './support/on-fresh-product.ts'

const MAX_MS = 1000
/** Looked at for so long after a change: a process may be late. */
const WATCH_MS = 1500
/** A change that is not in force by then never will be. */
const GIVE_UP_MS = 20_000
const LOOKS_AT_ONCE = 4

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    fronts: { type: 'string', default: '2' },
  },
})
const rounds = Number(values.rounds)
const SETTING = 'widgets.searchAPI.maxNumOfRecords'

await onFreshProduct(
  'change-latency',
  async (product) => {
    const sdk = (command: string, given: Readonly<Record<string, string>>) =>
      callSdk(product.url, product.secrets.password, command, given)
    const name = 'change-latency'
    const token = String((await sdk('addListener', { name })).token)
    await post(product, product.secrets.token, '{"message":"late"}\n{"message":"late"}')
    const { search } = makeSearchClient(product.url, product.secrets.password)
    const shown = async () => (await search('late')).rows.length - 1
    for (let n = 0; n < 100 && (await shown()) < 2; n += 1) await sleep(100)
    if ((await shown()) < 2) throw new Error('the events are not found')
    const tries: Record<string, () => Promise<number>> = {
      'account disabled': async () => {
        await sdk('enableAccount', { name, enabled: 'false' })
        return await lastBefore(async () => (await post(product, token, '{}')) === 400)
      },
      'account enabled': async () => {
        await sdk('enableAccount', { name, enabled: 'true' })
        return await lastBefore(async () => (await post(product, token, '{}')) === 200)
      },
      'setting lowered': async () => {
        await sdk('settings', { set: `${SETTING}=1` })
        return await lastBefore(async () => (await shown()) === 1)
      },
      'setting raised': async () => {
        await sdk('settings', { set: `${SETTING}=100` })
        return await lastBefore(async () => (await shown()) === 2)
      },
    }
    const taken = new Map(Object.keys(tries).map((change) => [change, [] as number[]]))
    for (let round = 0; round < rounds; round += 1)
      for (const [change, run] of Object.entries(tries)) taken.get(change)?.push(await run())
    return [...taken].flatMap(([change, ms]) => {
      const most = Math.max(...ms)
      console.log(
        `${change.padEnd(18)} median ${median(ms).toFixed(0)} ms, longest ${most.toFixed(0)} ms of ${ms.length}`,
      )
      return most > MAX_MS ? [`${change}: in force after ${most.toFixed(0)} ms`] : []
    })
  },
  () => ({ LOGEYE_HTTP_FRONT_PROCESSES: values.fronts }),
)

/** Milliseconds from now to the last answer that was not as it is to be; answers are asked for
 *  until none was for WATCH_MS, GIVE_UP_MS at most. */
async function lastBefore(isInForce: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  let last = 0
  const look = async () => {
    while (performance.now() - began < Math.min(last + WATCH_MS, GIVE_UP_MS))
      if (!(await isInForce())) last = performance.now() - began
  }
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, look))
  return last
}

/** The status, over a connection of its own. */
function post(product: Product, token: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${product.url}/logeye/api/logger.jsp?token=${token}`,
      { method: 'POST', agent: false, timeout: 10_000 },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    asked.on('timeout', () => asked.destroy(new Error('no answer within 10 s')))
    asked.on('error', reject)
    asked.end(body)
  })
}
