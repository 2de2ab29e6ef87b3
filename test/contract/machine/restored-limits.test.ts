// A backup that is put back knows nothing of what was decided after it: retention leaves the time
// to say it again (docs/decisions/0048).
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BLOCKS_FILE, MANIFEST_FILE } from '../../../infra/backup/backup-layout.ts'
import { printManifest } from '../../../infra/backup/manifest.ts'
import { restoreBackup } from '../../../infra/backup/restore-backup.ts'
import { configSchema } from '../../../infra/config-schema.ts'
import { DATABASE_FILE } from '../../../infra/database/database-file.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import { copySqlite } from '../../../infra/database/sqlite-copy.ts'
import {
  changePolicy,
  readAllPolicies,
} from '../../../infra/metastore/policies/collection-policies.ts'
import { seed } from '../../../infra/metastore/seed.ts'
import { makeDatabasePlace } from '../../support/database/database-place.ts'
import { testClock } from '../../support/run/test-clock.ts'

it('nothing goes by its limits for as long as after a change of them', async () => {
  const place = await makeDatabasePlace()
  try {
    const database = await place.open()
    await seed(database, testClock)
    const longAgo = { nowMs: () => 1000 }
    await database.write((transaction) =>
      changePolicy(transaction, 'Default', { storageDays: 30 }, longAgo),
    )
    const backup = join(place.dataDir, 'monday')
    mkdirSync(backup)
    const since = { replaysSinceMs: 0, storeSinceMs: 0 }
    await copySqlite(place.dataDir, join(backup, DATABASE_FILE), since)
    writeFileSync(join(backup, BLOCKS_FILE), '')
    const entries = [DATABASE_FILE, BLOCKS_FILE].map((path) => {
      const bytes = readFileSync(join(backup, path))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return { path, bytes: bytes.length, sha256 }
    })
    const head = {
      ...{
        format: 1,
        version: '0.1.0',
        dataFormat: 1,
        databaseNumber: 1,
        madeMs: 1000,
        events: 0,
      },
      partitions: [{ next: 0, end: 0, metadata: '' }],
    }
    writeFileSync(join(backup, MANIFEST_FILE), printManifest({ head, entries }))

    const dataDir = join(place.dataDir, 'restored')
    mkdirSync(dataDir)
    const config = { ...configSchema.parse({}), dataDir }
    const said = await restoreBackup(config, { backup, isDryRun: false }, testClock)
    expect(said).toContain('legal holds')
    const restored = await openDatabase({ url: undefined, dataDir, clock: testClock })
    const [policy] = await readAllPolicies(restored.read).finally(() => restored.close())
    expect(policy).toMatchObject({ name: 'Default', policy: { storageDays: 30 } })
    // They count from the first run on that meets a time to come (retention.test.ts).
    expect(policy?.retainsSinceMs).toBeGreaterThan(testClock.nowMs())
  } finally {
    await place.remove()
  }
})
