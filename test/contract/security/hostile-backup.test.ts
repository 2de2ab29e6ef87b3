// A backup that somebody has made up: nothing of it is written outside of the data directory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BackupEntry, printManifest } from '../../../infra/backup/manifest.ts'
import { verifyBackup } from '../../../infra/backup/verify-backup.ts'
import { testClock } from '../../support/run/test-clock.ts'

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-hostile-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const HEAD = {
  ...{ format: 1, version: '0.1.0', dataFormat: 1, databaseNumber: 1, madeMs: 1 },
  ...{ partitions: [], events: 0 },
}
const sha256 = 'a'.repeat(64)

const CASES: readonly [string, readonly BackupEntry[], string][] = [
  ['leads up', [{ path: 'a/l', link: '../../x' }], 'the link a/l leaves the backup'],
  ['leads to the root', [{ path: 'a/l', link: '/etc' }], 'the link a/l leaves the backup'],
  ['is empty', [{ path: 'a/l', link: '' }], 'the link a/l leaves the backup'],
  [
    'goes up after another link',
    [{ path: 'a/b/c/d/e/l', link: 'm/../../../..' }],
    'the link a/b/c/d/e/l leaves the backup',
  ],
  [
    'has a file below it',
    [
      { path: 'a/l', link: 'x' },
      { path: 'a/l/deep/file', bytes: 0, sha256 },
    ],
    'a/l/deep/file lies below the link a/l',
  ],
  [
    'is fine',
    [{ path: 'store/metadata/default', link: '../store/487' }],
    'event-log-blocks is missing',
  ],
]

it.each(CASES)('a backup with a link that %s', async (_, entries, reason) => {
  writeFileSync(join(directory, 'manifest'), printManifest({ head: HEAD, entries }))
  await expect(verifyBackup(directory, testClock)).rejects.toThrow(reason)
})
