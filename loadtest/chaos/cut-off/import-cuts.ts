// An import whose client, or the product under it, is killed; then the same command again.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import { type Product, waitUntilUrlReady } from '../../../test/support/product/product.ts'
import { CLIENT, type Cuts, type Random, runProgram } from './cut.ts'

/** Enough to be met, and no more for a few kills. */
const MAX_LINES = 40_000
const LINES_A_KILL = 8000
const STRUCK = ['client', 'client', 'front', 'work', 'store']

export async function cutImports(
  product: Product,
  options: { readonly kills: number; readonly random: Random; readonly place: string },
): Promise<Cuts> {
  const { kills, random, place } = options
  const count = Math.min(MAX_LINES, kills * LINES_A_KILL)
  const faults: string[] = []
  let [killed, unfinished, files] = [0, 0, 0]
  while (killed < kills) {
    const word = `import${files}x`
    const file = join(place, `${word}.log`)
    const lines = Array.from({ length: count }, (_, n) => `${word} ${n} ${'y'.repeat(100)}`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    files += 1
    const words = [CLIENT, '-productURL', `${product.url}/logeye`, '-api', 'import', '-yes']
    const given = [...words, '-file', file, '-listenerToken', product.secrets.token]
    let ended: number | null = null
    for (let tries = 0; ended !== 0 && tries < kills + 20; tries += 1) {
      const role = killed < kills ? STRUCK[random(STRUCK.length)] : undefined
      const afterMs = 150 + random(1500)
      const strike = role === undefined || role === 'client' ? undefined : role
      const killing = strike === undefined ? undefined : killLater(product, strike, afterMs)
      const { status, err } = await runProgram(given, {}, role === 'client' ? afterMs : undefined)
      await killing
      await waitUntilUrlReady(product.url)
      if (role !== undefined) killed += 1
      if (role !== undefined && status !== 0) unfinished += 1
      if (status !== 0 && status !== null && status !== 3) faults.push(`import ${status}: ${err}`)
      ended = status
    }
    if (ended !== 0) faults.push(`${file} does not come to its end`)
    faults.push(...(await compare(product, word, count)))
  }
  return { kills: killed, unfinished, faults }
}

async function killLater(product: Product, role: string, afterMs: number): Promise<void> {
  await sleep(afterMs)
  const victim = product.processes().find((one) => one.role === role)
  if (victim !== undefined) process.kill(victim.pid, 'SIGKILL')
}

/** Each line once. */
async function compare(
  { url, secrets }: Product,
  word: string,
  count: number,
): Promise<readonly string[]> {
  const { search } = makeSearchClient(url, secrets.password)
  const wanted = `${count},${count}`
  let found = ''
  for (let tries = 0; found !== wanted && tries < 120; tries += 1) {
    if (tries > 0) await sleep(500)
    const { rows } = await search(`${word} | count, count distinct message`)
    found = rows[1]?.join() ?? ''
  }
  return found === wanted ? [] : [`${word}: events and distinct ones ${found}, not ${wanted}`]
}
