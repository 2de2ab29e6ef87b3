// Backup and restore (docs/decisions/0048): of a product under load, restored elsewhere; cut off by
// kill -9; damaged.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { makeBackup } from '../../support/product/make-backup.ts'
import {
  isReady,
  type Product,
  startProduct,
  waitUntilUrlReady,
} from '../../support/product/product.ts'
import { runCommand } from '../../support/product/run-command.ts'
import { startSteadyLoad } from '../../support/product/steady-load.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')
let place: string
let product: Product
let before: ReadonlySet<number>
let markers = 0
const backupPath = () => join(product.dataDir, 'backups', 'first')
const admin = (of: Product) => ({ url: of.url, password: of.secrets.password })

/** `n` and id of every event, by the JSON interface. */
async function idsOf(of: Product): Promise<ReadonlyMap<number, string>> {
  const login = Buffer.from(`admin:${of.secrets.password}`).toString('base64')
  const found = new Map<number, string>()
  let cursor: string | undefined
  do {
    const answer = await fetch(`${of.url}/logeye/api/search/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${login}` },
      body: JSON.stringify({ query: 'steady', limit: 1000, ...(cursor ? { cursor } : {}) }),
    })
    const { response } = JSON.parse(await answer.text())
    for (const event of response.data) {
      const n = Number(/steady (\d+)/.exec(event.message)?.[1])
      expect(found.has(n), `${n} twice`).toBe(false)
      found.set(n, event.id)
    }
    cursor = response.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

/** Events of one sender stay in order: all before the marker are stored when it is found. */
async function untilStored(of: Product): Promise<void> {
  const { count } = makeSearchClient(of.url, of.secrets.password)
  markers += 1
  const marker = `marker${markers}`
  const answer = await fetch(`${of.url}/logeye/api/logger.jsp?token=${of.secrets.token}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ message: marker }),
  })
  expect(answer.status).toBe(200)
  await waitUntil('the marker is found', async () => (await count(marker)) === 1)
}

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'logeye-test-backup-'))
  product = await startProduct({ dataDir: join(place, 'data') })
  // Every event is read twice by pages: a few ten thousand are enough.
  const load = startSteadyLoad({ url: product.url, token: product.secrets.token, pauseMs: 60 })
  await waitUntil('events are acknowledged', () => load.acknowledged().size >= 3000)
  before = load.acknowledged()
  expect(await makeBackup(admin(product), 'first')).toEqual({ state: 'done', reason: '' })
  await load.stop()
  await untilStored(product)
})
afterAll(async () => {
  await product?.stop()
  rmSync(place, { recursive: true, force: true })
})

describe('a backup that was made under load', () => {
  it('gives the same answers elsewhere: nothing lost, nothing twice, the same ids', async () => {
    const dataDir = join(place, 'elsewhere')
    const checked = runCommand(['restore', '--dry-run', backupPath()], { LOGEYE_DATA_DIR: dataDir })
    expect(checked).toMatchObject({ status: 0, err: '' })
    expect(existsSync(dataDir)).toBe(false)
    const ended = runCommand(['restore', backupPath()], { LOGEYE_DATA_DIR: dataDir })
    expect(ended).toMatchObject({ status: 0, err: '' })
    const other = await startProduct({ dataDir, secrets: product.secrets })
    try {
      await untilStored(other)
      const events = await makeSearchClient(other.url, other.secrets.password).count('steady')
      const [here, there] = [await idsOf(product), await idsOf(other)]
      expect(there.size).toBe(events)
      const lost = [...before].filter((n) => !there.has(n))
      expect(lost).toEqual([])
      for (const [n, id] of there) expect(id).toBe(here.get(n))
      await waitUntilUrlReady(other.url)
      const ready = await (await fetch(`${other.url}/logeye/health/ready`)).json()
      expect(ready).toMatchObject({ ready: true })
      expect(ready).not.toHaveProperty('damage')
      // Ingest goes on, and what is sent again by its key is not stored twice.
      const again = await fetch(`${other.url}/logeye/api/logger.jsp?token=${other.secrets.token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'steady 0' },
        body: JSON.stringify(
          Array.from({ length: 100 }, (_, n) => ({ message: `steady ${n}`, n })),
        ),
      })
      expect(again.status).toBe(200)
      const fresh = startSteadyLoad({ url: other.url, token: other.secrets.token })
      await waitUntil('events are acknowledged', () => fresh.acknowledged().size > 0)
      await fresh.stop()
      const { count } = makeSearchClient(other.url, other.secrets.password)
      expect(await count('steady AND n < 100')).toBeGreaterThan(0)
      const query = 'steady AND n < 50 | display only n | order by n'
      const bytes = async (of: Product) =>
        (await makeSearchClient(of.url, of.secrets.password).search(query)).rows
      expect(await bytes(other)).toEqual(await bytes(product))
    } finally {
      await other.stop()
    }
  })

  it('is refused, by the name of the file, when a byte of it is damaged', () => {
    const copy = join(place, 'damaged')
    cpSync(backupPath(), copy, { recursive: true, verbatimSymlinks: true })
    const paths = readFileSync(join(copy, 'manifest'), 'utf8')
      .split('\n')
      .flatMap((line) => /^\{"path":"([^"]+)","bytes":[1-9]/.exec(line)?.[1] ?? [])
    const chosen = [...paths.filter((path) => !path.startsWith('store/')), paths.at(-1) ?? '']
    for (const path of chosen) {
      const bytes = readFileSync(join(copy, path))
      const changed = Buffer.from(bytes)
      changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
      writeFileSync(join(copy, path), changed)
      const ended = runCommand(['restore', copy], { LOGEYE_DATA_DIR: join(place, 'none') })
      expect(ended.status).toBe(1)
      expect(ended.err).toBe(
        `logeye: the backup cannot be used: ${path} is not as it was written\n`,
      )
      writeFileSync(join(copy, path), bytes)
    }
    rmSync(join(copy, 'logeye.db'))
    const missing = runCommand(['restore', copy], { LOGEYE_DATA_DIR: join(place, 'none') })
    expect(missing.err).toContain('logeye.db is missing')
    appendFileSync(join(copy, 'manifest'), 'x')
    const cut = runCommand(['restore', copy], { LOGEYE_DATA_DIR: join(place, 'none') })
    expect(cut.err).toContain('its file manifest is not whole')
    rmSync(join(copy, 'manifest'))
    const none = runCommand(['restore', copy], { LOGEYE_DATA_DIR: join(place, 'none') })
    expect(none.err).toContain('it is no backup, or was not finished')
    expect(readdirSync(join(place, 'none')).filter((name) => name !== 'supervisor.lock')).toEqual(
      [],
    )
  })

  it('is not restored into a directory that holds something', () => {
    const ended = runCommand(['restore', backupPath()], { LOGEYE_DATA_DIR: product.dataDir })
    expect(ended.status).toBe(1)
    const full = join(place, 'full')
    cpSync(backupPath(), full, { recursive: true, verbatimSymlinks: true })
    const other = runCommand(['restore', backupPath()], { LOGEYE_DATA_DIR: full })
    expect(other.err).toContain('is not empty')
  })

  it('is not removed by its own restore where it lies among what an earlier one left', () => {
    const dataDir = join(place, 'within')
    const within = join(dataDir, 'monday')
    cpSync(backupPath(), within, { recursive: true, verbatimSymlinks: true })
    writeFileSync(join(dataDir, 'restore-unfinished'), '')
    const ended = runCommand(['restore', within], { LOGEYE_DATA_DIR: dataDir })
    expect(ended.status).toBe(1)
    expect(ended.err).toContain('lies in the data directory: move it out of')
    expect(existsSync(join(within, 'manifest'))).toBe(true)
  })

  it('can have the name of one that was tried out, or removed', async () => {
    const make = () => makeBackup(admin(product), 'weekly')
    // The commands before held this process up: it has yet to see which connections are closed.
    await waitUntil('the product answers', () => isReady(product.url))
    const done = { state: 'done', reason: '' }
    const tried = await callSdk(admin(product), 'backup', { name: 'weekly', dryRun: 'true' })
    expect(tried).toMatchObject({ success: true, response: { state: 'done' } })
    expect(await make()).toEqual(done)
    expect(await make()).toMatchObject({ reason: expect.stringContaining('there is a backup') })
    rmSync(join(product.dataDir, 'backups', 'weekly'), { recursive: true })
    expect(await make()).toEqual(done)
  })

  it('is restored whole by a second run after kill -9 of the first, and not started before', async () => {
    const whole = countFiles(backupPath())
    for (const share of [0, 0.25, 0.5, 0.75]) {
      const dataDir = join(place, `killed-${share}`)
      const env = { ...process.env, LOGEYE_DATA_DIR: dataDir, LOGEYE_HTTP_PLAIN_PORT: '0' }
      const child = spawn(process.execPath, [MAIN, 'restore', backupPath()], { env })
      const ended = once(child, 'exit')
      await waitUntil('a part is restored', () => {
        const isBegun = existsSync(join(dataDir, 'restore-unfinished'))
        return child.exitCode !== null || (isBegun && countFiles(dataDir) >= share * whole)
      })
      child.kill('SIGKILL')
      await ended
      if (existsSync(join(dataDir, 'restore-unfinished'))) {
        const start = runCommand(['start'], { LOGEYE_DATA_DIR: dataDir })
        expect(start.err).toContain("run 'logeye restore' again")
        const again = runCommand(['restore', backupPath()], { LOGEYE_DATA_DIR: dataDir })
        expect(again).toMatchObject({ status: 0, err: '' })
      }
      expect(existsSync(join(dataDir, 'restore-unfinished'))).toBe(false)
    }
  })
})

describe('a backup that is cut off by kill -9', () => {
  it('is never taken for one, leaves nothing, and the next one works', async () => {
    const folder = join(product.dataDir, 'backups')
    const whole = countFiles(backupPath())
    for (const percent of [0, 25, 50, 75]) {
      const name = `cut-${percent}`
      const before = countFiles(folder)
      let isOver = false
      const asked = callSdk(admin(product), 'backup', { name }).finally(() => {
        isOver = true
      })
      await untilRunning(name, () => isOver)
      await waitUntil('a part is written', () => {
        return isOver || countFiles(folder) - before >= (percent / 100) * whole
      })
      const work = product.processes().find(({ role }) => role === 'work')
      if (work !== undefined) process.kill(work.pid, 'SIGKILL')
      const reply = await asked
      if (reply.success) continue
      expect(reply.errorMessage).toContain('the process that made it has ended')
      expect(readdirSync(join(product.dataDir, 'backups'))).not.toContain(name)
    }
    expect(await makeBackup(admin(product), 'after')).toEqual({ state: 'done', reason: '' })
    const names = readdirSync(join(product.dataDir, 'backups'))
    expect(names.filter((name) => name.startsWith('.'))).toEqual([])
    const shadow = readdirSync(join(product.dataDir, 'store', 'shadow'))
    expect(shadow.filter((name) => name.startsWith('logeye'))).toEqual([])
    for (const name of names) {
      const checked = runCommand(['restore', '--dry-run', join(product.dataDir, 'backups', name)], {
        LOGEYE_DATA_DIR: join(place, 'none-2'),
      })
      expect(checked).toMatchObject({ status: 0, err: '' })
    }
  })

  /** Or over: it may have failed before it began. */
  async function untilRunning(name: string, isOver: () => boolean): Promise<void> {
    await waitUntil(`the backup ${name} runs`, async () => {
      if (isOver()) return true
      const { response } = await callSdk(admin(product), 'backup', { list: 'true' })
      const text = JSON.stringify(response)
      return new RegExp(`"name":"${name}","state":"(running|done)"`).test(text)
    })
  }
})

/** Also while others write there. */
function countFiles(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).length
  } catch {
    return 0
  }
}
