// A process of its own at a database, until it is killed.
//   hold   takes the write lock, writes a setting, says `held` and never ends the transaction
//   count  commits settings 1, 2, 3 … and says each number after its commit
//   logs   makes the logs a-0 … a-199 in one call and says their ids

import { openDatabase } from '../../../infra/database/open.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { openMetastore } from '../../../infra/metastore/open.ts'
import { testClock } from '../run/test-clock.ts'
import { makeNewLog } from './new-log.ts'

const [dataDir = '', url = '', mode = ''] = process.argv.slice(2)
const say = (text: string) => process.stdout.write(`${text}\n`)
const database = await openDatabase({ dataDir, url: url === '' ? undefined : url })

switch (mode) {
  case 'hold':
    await database.write(async (transaction) => {
      await transaction.insertInto('settings').values({ name: 'held', value: '1' }).execute()
      say('held')
      await new Promise(() => setInterval(() => {}, 1000))
    })
    break
  case 'count':
    for (let number = 1; number < 1_000_000; number += 1) {
      await database.write(async (transaction) => {
        await transaction
          .insertInto('settings')
          .values({ name: `n${number}`, value: '1' })
          .execute()
      })
      say(String(number))
    }
    break
  case 'logs': {
    const logger = makeLogger({ level: 'error', process: 'test', clock: testClock })
    const metastore = await openMetastore({ database, logger })
    const logs = Array.from({ length: 200 }, (_, index) => makeNewLog({ name: `a-${index}` }))
    const made = await metastore.addLogs(logs)
    say(made.map((log) => log.id).join(','))
    await metastore.close()
    break
  }
  default:
    throw new Error(`no mode ${mode}`)
}
await database.close()
