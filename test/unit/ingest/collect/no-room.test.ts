// Files of this machine that turn up while the database has no room to note them: none of them goes
// before one that is older.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parsePathPattern } from '../../../../ingest/collect/path-pattern.ts'
import { LOCAL_FILES } from '../../../../ingest/collect/sources/local-files.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { followFiles } from '../../../support/collect/follow-files.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-no-room-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

it('leaves them in their order, and reads all of them when there is room', async () => {
  for (const number of [1, 2, 3]) {
    const path = join(directory, `${number}.log`)
    writeFileSync(path, `line ${String(number).padStart(6, '0')} of a file as long as it is\n`)
    utimesSync(path, number, number)
  }
  let isFull = true
  const patterns = [parsePathPattern(join(directory, '*.log'))]
  const { files, read, take, look } = followFiles(LOCAL_FILES, patterns, () => {
    if (!isFull) return
    isFull = false
    throw new Failure('database.no_space')
  })
  await expect(look()).rejects.toMatchObject({ code: 'database.no_space' })
  await take()
  expect(read).toEqual([])
  await look()
  expect(read).toEqual([1, 2, 3])
  await files.close()
})
