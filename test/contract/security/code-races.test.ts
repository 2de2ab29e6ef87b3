// Codes of a second factor that come to two processes at the same moment.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { totpCode } from '../../../infra/access/totp.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
} from '../../../infra/metastore/access/second-factors.ts'
import { addUser } from '../../../infra/metastore/users/user-changes.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { openTwo, useMetastores } from '../../support/database/open-metastores.ts'
import { testClock } from '../../support/run/test-clock.ts'

useMetastores()

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-codes-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const STEP_MS = 30_000

async function begin() {
  const processes = await openTwo()
  const [{ database }] = processes
  const nowMs = testClock.nowMs()
  const bytes = Buffer.alloc(20, 9)
  const codeAt = (ms: number) => totpCode(bytes, Math.floor(ms / STEP_MS), 6)
  // Ten minutes ago: none of the codes of now is used.
  const clock = {
    nowMs: () => nowMs - 600_000,
    randomBytes: (count: number) => (count === 20 ? bytes : testClock.randomBytes(count)),
  }
  const keys = new SecretKeys(join(directory, 'secrets.key'), testClock)
  const key = await keys.current(database.read)
  const made = await database.write(async (transaction) => {
    const id = await addUser(transaction, 'anna', { passwordHash: 'none' })
    const user = { id, name: 'anna' }
    await beginSecondFactor(transaction, { clock, keys, key }, user)
    const confirmed = codeAt(clock.nowMs())
    const codes = await confirmSecondFactor(transaction, { clock, keys }, user, confirmed)
    return { id, codes: codes ?? [] }
  })
  const useAtOnce = (code: (at: number) => string, times: number) =>
    Promise.all(
      Array.from({ length: times }, (_, at) =>
        processes[at % 2 === 0 ? 0 : 1].access.useCode(made.id, code(at), keys),
      ),
    )
  return { ...made, codeNow: () => codeAt(testClock.nowMs()), useAtOnce }
}

const countOf = (results: readonly string[], wanted: string) =>
  results.filter((result) => result === wanted).length

it('a code is right once', async () => {
  const { codeNow, codes, useAtOnce } = await begin()
  const code = codeNow()
  expect(countOf(await useAtOnce(() => code, 4), 'right')).toBe(1)
  const [recovery = ''] = codes
  expect(countOf(await useAtOnce(() => recovery, 2), 'right')).toBe(1)
})

it('guesses count together, and then the right one waits, too', async () => {
  const { codeNow, codes, useAtOnce } = await begin()
  const guesses = await useAtOnce((at) => `guess ${at}`, 30)
  expect([countOf(guesses, 'wrong'), countOf(guesses, 'slowed')]).toEqual([5, 25])
  const [recovery = ''] = codes
  for (const code of [codeNow(), recovery])
    expect(await useAtOnce(() => code, 2)).toEqual(['slowed', 'slowed'])
})
