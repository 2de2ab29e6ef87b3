// Who searches: `reader` sees the 50 logs of the events, `crowd` also 5,000 logs more of one event
// each, which lie in a folder beside.

import { callSdk } from '../../../test/support/clients/sdk-client.ts'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import type { Product } from '../../../test/support/product/product.ts'
import { makePost, runLoad } from '../http-load.ts'
import { waitForCount } from '../measure.ts'
import type { SignIn } from './our-client.ts'

export const MANY_LOGS = 5000
/** Of the product; the usual limit is 1,000. */
export const NEW_LOGS_ENVIRONMENT = { LOGEYE_WRITER_NEW_LOGS_PER_HOUR: '20000' }
// A product on loopback that ends with the benchmark.
export const READER: SignIn = { user: 'reader', password: 'search-bench-reader' }
export const CROWD: SignIn = { user: 'crowd', password: 'search-bench-crowd' }

const LIMIT_MS = 300_000
const EVENTS_FOLDER = 'Events'

export async function prepareUsers(product: Product, timeMs: number): Promise<void> {
  const { url, port, secrets } = product
  const timestamp = new Date(timeMs).toISOString()
  const lines = Array.from({ length: MANY_LOGS }, (_, log) =>
    JSON.stringify({ timestamp, message: 'here', productPath: 'Many', productName: `many-${log}` }),
  )
  const body = makePost(
    `/logeye/api/logger.jsp?token=${secrets.token}&hostName=bench`,
    Buffer.from(lines.join('\n')),
  )
  await runLoad({
    port,
    connections: 1,
    request: (number) => (number === 0 ? body : null),
    limitMs: LIMIT_MS,
  })
  const search = makeSearchClient(url, secrets.password)
  const found = await waitForCount(search, '* in log.many-*', MANY_LOGS, LIMIT_MS)
  if (found !== MANY_LOGS) throw new Error(`${found} of ${MANY_LOGS} logs were made`)
  const sdk = (command: string, given: Readonly<Record<string, string>>) =>
    callSdk(url, secrets.password, command, given)
  for (const user of [READER, CROWD]) await addUser(product, user)
  const folder = (path: string, viewUsers: string) =>
    sdk('setPermissions', { path, type: 'folder', viewUsers })
  await folder('ROOT', '')
  await folder(EVENTS_FOLDER, `${READER.user},${CROWD.user}`)
  await folder(`${EVENTS_FOLDER}->Many`, CROWD.user)
}

/** On a product where everyone sees everything. */
export async function addReader(product: Product): Promise<SignIn> {
  await addUser(product, READER)
  return READER
}

async function addUser({ url, secrets }: Product, { user, password }: SignIn): Promise<void> {
  await callSdk(url, secrets.password, 'securityUsers', {
    action: 'add',
    userName: user,
    userPassword: password,
    policy: 'view only',
  })
}
