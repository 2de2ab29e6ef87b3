// Data directories of earlier releases: this program starts on each, and finds what was in it and
// what was acknowledged and not yet stored.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import {
  fixtureNames,
  fixturePath,
  MAKE_AGAIN,
  unpackFixture,
} from '../../support/product/data-fixture.ts'
import { startProduct } from '../../support/product/product.ts'
import { spawnSync } from '../../support/run/run-sync.ts'

const ADVICE = `a data directory of an earlier form is not read any more. Released forms must be migrated (infra/supervisor/data-format.ts, the migrations of database and store); before the first release: ${MAKE_AGAIN}`
const MAX_BYTES = 300 * 1024

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-directory-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe.each(fixtureNames())('a data directory of %s', (name) => {
  it('is small enough to be kept', () => {
    expect(statSync(fixturePath(name, 'tar.gz')).size).toBeLessThan(MAX_BYTES)
  })

  it('is started on, answers every search as it did, and takes more', {
    timeout: 240_000,
  }, async () => {
    const { token, password, lateEvents, searches } = unpackFixture(name, dataDir)
    const product = await startProduct({ dataDir, secrets: { token, password } }).catch(
      (error: unknown) => expect.fail(`${ADVICE}\n${String(error)}`),
    )
    try {
      const { search, count } = makeSearchClient(product.url, password)
      await expect.poll(() => count('late'), { timeout: 240_000, message: ADVICE }).toBe(lateEvents)
      // Counters are stored a moment later than the events.
      for (const { query, rows } of searches)
        await expect
          .poll(async () => (await search(query)).rows, {
            ...{ timeout: 240_000, message: `${ADVICE}\n${query}` },
          })
          .toEqual(rows)
      const url = `${product.url}/logeye/api/logger.jsp?token=${token}`
      const send = () =>
        fetch(url, {
          method: 'POST',
          body: '{"message":"newest"}',
          headers: { 'content-type': 'application/json' },
        })
      expect((await send()).status).toBe(200)
      await expect.poll(() => count('newest'), { timeout: 240_000 }).toBe(1)
    } finally {
      await product.stop()
    }
  })
})

it('a data directory of a later release is refused in one line, and left as it is', () => {
  const [name = ''] = fixtureNames()
  unpackFixture(name, dataDir)
  writeFileSync(join(dataDir, 'format'), '99\n')
  const database = readFileSync(join(dataDir, 'logeye.db'))
  const main = join(import.meta.dirname, '../../../dist/main.js')
  const env = { ...process.env, LOGEYE_DATA_DIR: dataDir, LOGEYE_HTTP_PLAIN_PORT: '0' }
  const { status, stderr, stdout } = spawnSync(process.execPath, [main, 'start'], { env })
  expect(status).toBe(1)
  expect(String(stdout)).toBe('')
  expect(String(stderr)).toMatch(
    /^logeye: .*written by a newer version of the product \(format 99, .*\n$/,
  )
  expect(readFileSync(join(dataDir, 'logeye.db'))).toEqual(database)
})
