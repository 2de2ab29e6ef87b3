// The directories that are damaged, made once by the product itself: received on three days, in
// several logs and parts. `older` is of an earlier moment, `clean` was stopped in order with all
// stored, `waiting` was killed with events only in its event log.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import { type Product, type Secrets, startProduct } from '../../../test/support/product/product.ts'
import { waitForCount } from '../../support/measure.ts'
import { hostOf, type Place } from '../campaign/numbered-events.ts'
import { copyDirectory } from './copy-directory.ts'
import { bodyOf, type Sent } from './sent-events.ts'

const SENDERS = 3
const REQUESTS = 6
const EVENTS_A_REQUEST = 40
/** Of the events that are only in the event log of `waiting`. */
export const WAITING_ROUND = 3
const WITHIN_MS = 120_000
const DAY_MS = 86_400_000
const CLOCK_HOOK = join(import.meta.dirname, '../hooks/clock-offset.mjs')

export type Directory = { readonly path: string; readonly sent: readonly Sent[] }
export type Prepared = {
  readonly secrets: Secrets
  readonly older: Directory
  readonly bases: readonly (Directory & { readonly name: 'clean' | 'waiting' })[]
}

export async function prepare(place: string, seed: number): Promise<Prepared> {
  const dataDir = join(place, 'data')
  const clockFile = join(place, 'clock')
  mkdirSync(place, { recursive: true })
  let secrets: Secrets | undefined
  const start = async (daysBefore: number): Promise<Product> => {
    writeFileSync(clockFile, String(-daysBefore * DAY_MS))
    const product = await startProduct({
      dataDir,
      environment: {
        LOGEYE_TEST_CLOCK_FILE: clockFile,
        NODE_OPTIONS: `--import ${pathToFileURL(CLOCK_HOOK).href}`,
      },
      ...(secrets && { secrets }),
    })
    secrets = product.secrets
    return product
  }
  const sent: Sent[] = []
  const send = async (product: Product, round: number) => {
    for (let sender = 0; sender < SENDERS; sender += 1) {
      const at = { seed, round, sender }
      for (let request = 0; request < REQUESTS; request += 1)
        await post(product, at, request * EVENTS_A_REQUEST)
      sent.push({ ...at, events: REQUESTS * EVENTS_A_REQUEST })
    }
  }
  const keep = (name: string): Directory => {
    const path = join(place, name)
    copyDirectory(dataDir, path)
    return { path, sent: [...sent] }
  }
  const sendAndStop = async (daysBefore: number, round: number) => {
    const product = await start(daysBefore)
    await send(product, round)
    const search = makeSearchClient(product.url, product.secrets.password)
    const total = countOf(sent)
    if ((await waitForCount(search, '*', total, WITHIN_MS)) !== total)
      throw new Error('the events that are to be damaged were not stored')
    await product.stop()
  }
  await sendAndStop(2, 0)
  await sendAndStop(1, 1)
  const older = keep('older')
  await sendAndStop(0, 2)
  const clean = keep('clean')
  const product = await start(0)
  process.kill(await product.pidOf('work'), 'SIGSTOP')
  await send(product, WAITING_ROUND)
  await product.killAll()
  const waiting = keep('waiting')
  return {
    secrets: product.secrets,
    older,
    bases: [
      { ...clean, name: 'clean' },
      { ...waiting, name: 'waiting' },
    ],
  }
}

export function countOf(sent: readonly Sent[]): number {
  return sent.reduce((sum, { events }) => sum + events, 0)
}

async function post(product: Product, place: Place, first: number): Promise<void> {
  const { url, secrets } = product
  const query = new URLSearchParams({ token: secrets.token, hostName: hostOf(place) })
  const answer = await fetch(`${url}/logeye/api/logger.jsp?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodyOf(place, first, EVENTS_A_REQUEST),
  })
  if (answer.status !== 200) throw new Error(`events were answered ${answer.status}`)
}
