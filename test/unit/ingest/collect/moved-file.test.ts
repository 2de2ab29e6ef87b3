// A file that is not open, as after a start, and gets another name, which the log does not name,
// between the look at it and its reading: the look in its directory finds what is not read of it.
import { appendFileSync, mkdtempSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parsePathPattern } from '../../../../ingest/collect/path-pattern.ts'
import { LOCAL_FILES } from '../../../../ingest/collect/sources/local-files.ts'
import { followFiles } from '../../../support/collect/follow-files.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-moved-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

it('is read to its end, before what has its name now', async () => {
  const path = join(directory, 'app.log')
  const write = (number: number) =>
    appendFileSync(path, `line ${String(number).padStart(6, '0')} of some file\n`)
  const patterns = [parsePathPattern(path)]
  const { files, read, take, look } = followFiles(LOCAL_FILES, patterns)
  write(1)
  await look()
  write(2)
  await files.scan(patterns)
  await files.close()
  renameSync(path, join(directory, 'old'))
  write(3)
  // As two writes within one step of the system's clock are.
  const moment = new Date('2026-10-01T12:00:00.000Z')
  for (const name of ['old', 'app.log']) utimesSync(join(directory, name), moment, moment)
  await take()
  await look()
  expect(read).toEqual([1, 2, 3])
  await files.close()
})
