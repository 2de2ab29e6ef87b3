// What the sample world of the console holds: a day of a shop, dashboards, people, rejected events.
import { z } from 'zod'
import type { Product } from '../product/product.ts'
import type { ConsoleTest } from './console.ts'
import { makeShopDay, SHOP_APP } from './sample-shop.ts'

const BATCH = 5000
const CALL_MS = 60_000
const answered = z.object({ success: z.literal(true), response: z.json() })

/** Calls of the administrator: `/logeye/sdk/{command}` and others. */
export function makeAdmin({ url, secrets }: Pick<Product, 'url' | 'secrets'>) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Basic ${btoa(`admin:${secrets.password}`)}`,
  }
  return async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
      signal: AbortSignal.timeout(CALL_MS),
    })
    const told: unknown = await answer.json()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(told)}`)
    return told
  }
}

/** Commands of the SDK, beside the pages: gives what they answer, and throws what they refuse. */
export function makeCommands(product: Pick<Product, 'url' | 'secrets'>) {
  const call = makeAdmin(product)
  return async (command: string, given: object = {}): Promise<unknown> =>
    answered.parse(await call(`/logeye/sdk/${command}`, given)).response
}

export async function fillConsole(test: ConsoleTest, count: number): Promise<void> {
  const call = makeAdmin(test.product)
  const events = makeShopDay(count, Date.now())
  for (let at = 0; at < count; at += BATCH) await test.send(events.slice(at, at + BATCH), 'shop-01')
  await call('/logeye/api/apps/import', { file: SHOP_APP })
  await call('/logeye/api/apps/import', { readyMade: 'Web access' })
  const anna = { userName: 'anna', userPassword: 'a good password' }
  await call('/logeye/sdk/securityUsers', { action: 'add', ...anna })
  for (const name of ['Payments', 'Shop edge']) await call('/logeye/sdk/addListener', { name })
}
