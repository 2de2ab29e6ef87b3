// A process of its own that stages a patch, or launches what is in force: it is killed in tests.
//   tsx patch-process.ts stage <dataDir> <public key> <archive>
//   tsx patch-process.ts launch <dataDir> <public key> <milliseconds until healthy>

import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { makeLogger } from '../../../infra/logger.ts'
import { launch } from '../../../infra/patches/launch.ts'
import { stagePatch } from '../../../infra/patches/stage-patch.ts'
import { testClock } from '../run/test-clock.ts'
import { VERSION } from './make-patch.ts'

const [what, dataDir = '', publicKey = '', third = ''] = process.argv.slice(2)

if (what === 'stage') {
  stagePatch(readFileSync(third), { dataDir, publicKey, version: VERSION, programFolder: dataDir })
  process.stdout.write('staged\n')
} else {
  const startHere = async () => {
    writeFileSync('running', '0')
    process.once('SIGTERM', () => process.exit(0))
    await once(createServer().listen(0, '127.0.0.1'), 'close')
    return 0
  }
  const clock = testClock
  const logger = makeLogger({ level: 'error', process: 'test', clock, write: () => undefined })
  const options = { dataDir, publicKey, clock, logger, words: [] }
  process.exit(await launch({ ...options, startHere, healthyMs: Number(third) }))
}
