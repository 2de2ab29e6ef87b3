// Stored results until the disk's reserve is reached: then code 5, while ingest is answered 200 and
// small searches go on; also when several begin at once that would each have room alone. The
// reserve is set so that --room (MiB) of the free space is above it.
//   npx tsx loadtest/results-fill-disk.ts [--room 400]
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readDiskSpaceSync } from '../infra/disk-space.ts'
import { call, waitStored } from '../test/support/clients/large-results.ts'
import type { Product } from '../test/support/product/product.ts'
import { onFreshProduct } from './support/on-fresh-product.ts'

const MIB = 1024 * 1024
const EVENTS = 30_000
const BATCH = 1000
const MAX_RESULTS = 200
const AT_ONCE = 8
/** What other programs take of the disk meanwhile, and parts that were begun while there was
 *  room. */
const SLACK_MIB = 100

const { values } = parseArgs({ options: { room: { type: 'string', default: '400' } } })
const failures: string[] = []
let keptMib = 0

await onFreshProduct(
  'results',
  async (product) => {
    for (let from = 0; from < EVENTS; from += BATCH)
      await send(
        product,
        Array.from({ length: BATCH }, () => `fill ${randomBytes(1000).toString('hex')}`),
      )
    await waitStored(product, EVENTS, 'fill')
    let [stored, meanwhile, message] = [0, 0, '']
    while (message === '' && stored < MAX_RESULTS) {
      message = await storeResult(product)
      if (message === '') stored += 1
      await send(product, ['meanwhile'])
      meanwhile += 1
    }
    if (!isNoRoom(message)) failures.push(`the last result answered: ${message}`)
    console.log(`${stored} results of ${(EVENTS * 2) / 1000} MB, then: ${message}`)
    const many = await Promise.all(Array.from({ length: AT_ONCE }, () => storeResult(product)))
    for (const one of many) if (one !== '' && !isNoRoom(one)) failures.push(one)
    console.log(`free ${freeMib(product.dataDir).toFixed(0)} MiB, to be left ${keptMib} MiB`)
    if (freeMib(product.dataDir) < keptMib - SLACK_MIB) failures.push('the reserve was taken')
    await waitStored(product, meanwhile, 'meanwhile')
    await send(product, ['after'])
    return failures
  },
  (dataDir) => {
    keptMib = Math.floor(freeMib(dataDir) - Number(values.room))
    // Searches leave twice of it.
    return { LOGEYE_LISTENER_DISK_RESERVE_BYTES: String(Math.floor((keptMib * MIB) / 2)) }
  },
)

function freeMib(dataDir: string): number {
  return readDiskSpaceSync(dataDir).freeBytes / MIB
}

async function send(product: Product, messages: readonly string[]): Promise<void> {
  const address = `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`
  const body = messages.map((message) => JSON.stringify({ message })).join('\n')
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(address, { method: 'POST', body, headers })
  if (status !== 200) failures.push(`ingest answered ${status}`)
}

/** '' for a result that is stored. */
async function storeResult(product: Product): Promise<string> {
  const fields = { searchQuery: 'fill', paginate: 'true', maxRecordsPerPage: '1' }
  const text = await (await call(product, { ...fields, timeout: '120000' })).text()
  return /<Message code="\d">(.*)<\/Message>/.exec(text)?.[1] ?? ''
}

function isNoRoom(message: string): boolean {
  return message.startsWith('5: the disk has no room')
}
