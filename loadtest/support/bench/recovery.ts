// How soon a data directory with many events serves again: after kill -9 of each process, and of
// all. Served means: a new event is acknowledged and found, and a search over everything is
// answered. The directory is copied first (without copying the blocks where the file system can).
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeSearchClient, type SearchClient } from '../../../test/support/clients/search-client.ts'
import { type Product, type Secrets, startProduct } from '../../../test/support/product/product.ts'
import { type Plan, pause } from './plan.ts'
import { printVerdicts } from './verdicts.ts'

const ASKED = { one: 3, all: 5 }
const LIMIT_MS = 60_000
const POLL_MS = 20
const REST_MS = 5000
/** Beside a directory of the search benchmark. */
const MANIFEST = 'search-bench.json'

export async function benchRecovery(options: Plan & { readonly source: string }): Promise<boolean> {
  const { directory, source, rounds } = options
  const dataDir = join(directory, 'product')
  const copy = spawnSync('cp', ['-a', '--reflink=auto', source, dataDir], { stdio: 'inherit' })
  if (copy.status !== 0) throw new Error('the directory could not be copied')
  let product = await startProduct({ dataDir, secrets: readSecretsOf(source) })
  const worst = new Map<string, number>()
  const note = (name: string, seconds: number) => {
    console.log(`${name.padEnd(12)} served again after ${seconds.toFixed(2)} s`)
    worst.set(name, Math.max(seconds, worst.get(name) ?? 0))
  }
  try {
    const events = await countOf(product)
    console.log(`${events} events, first start ${(product.startMs / 1000).toFixed(2)} s`)
    await pause(REST_MS)
    for (let round = 0; round < rounds; round += 1) {
      for (const { role } of product.processes()) {
        const found = product.processes().find((it) => it.role === role)
        if (found === undefined) throw new Error(`${role} is gone`)
        process.kill(found.pid, 'SIGKILL')
        note(role, await secondsUntilServed(product))
        await pause(REST_MS)
      }
      await product.killAll()
      const started = performance.now()
      product = await startProduct({ dataDir, secrets: product.secrets })
      await secondsUntilServed(product)
      note('all', (performance.now() - started) / 1000)
      await pause(REST_MS)
    }
  } finally {
    await product.killAll()
  }
  return printVerdicts(
    [...worst].map(([name, value]) => ({
      name: `recovery of ${name}, the longest`,
      value,
      unit: 's',
      asked: { most: name === 'all' ? ASKED.all : ASKED.one },
    })),
  )
}

function readSecretsOf(source: string): Secrets {
  const file = join(dirname(source), MANIFEST)
  if (!existsSync(file)) throw new Error(`${MANIFEST} with the secrets is not beside the directory`)
  return JSON.parse(readFileSync(file, 'utf8')).secrets
}

function searchOf({ url, secrets }: Product): SearchClient {
  return makeSearchClient(url, secrets.password)
}

async function countOf(product: Product): Promise<number> {
  return await searchOf(product).count('*')
}

/** From now on until a new event was acknowledged and found, and all are counted. */
async function secondsUntilServed(product: Product): Promise<number> {
  const started = performance.now()
  const deadline = started + LIMIT_MS
  const search = searchOf(product)
  const word = `fault${Math.round(started)}x${product.supervisorPid}`
  await until(deadline, () => post(product, word))
  await until(deadline, async () => {
    const answer = await search.search(word, { fixedInterval: 'last15Minutes' })
    return answer.numberOfResults > 0
  })
  await until(deadline, async () => (await search.count('*')) > 0)
  return (performance.now() - started) / 1000
}

async function until(deadline: number, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`not served within ${LIMIT_MS} ms`)
    await pause(POLL_MS)
  }
}

async function post({ url, secrets }: Product, word: string): Promise<boolean> {
  const answer = await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: `after a ${word}` }),
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  await answer.arrayBuffer()
  return answer.status === 200
}
