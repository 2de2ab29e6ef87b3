// A process of its own at a database, until it is killed.
//   hold   takes the write lock, writes a setting, says `held` and never ends the transaction
//   count  commits settings 1, 2, 3 … and says each number after its commit
//   logs   makes the logs a-0 … a-199 in one call and says their ids
//   lead   says `held <fence>` while it holds the lease `test`, and what a guarded write gives when
//     it has lost it
//   first  runs the first start and says what it got
//   schedule  says `stands by`, then `ran` for each run of a job of the scheduler
import { systemClock } from '../../../infra/clock.ts'
import { requireFence } from '../../../infra/database/lease.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import { runAsHolder } from '../../../infra/database/run-as-holder.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { runFirstStart } from '../../../infra/metastore/first-start.ts'
import { openMetastore } from '../../../infra/metastore/open.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { startScheduler } from '../../../infra/scheduler/start.ts'
import { makeFailingStore } from '../store/failing-store.ts'
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
    const logger = makeLogger({ level: 'error', process: 'test', clock: systemClock })
    const metastore = await openMetastore({ database, logger })
    const logs = Array.from({ length: 200 }, (_, index) => makeNewLog({ name: `a-${index}` }))
    const made = await metastore.addLogs(logs)
    say(made.map((log) => log.id).join(','))
    await metastore.close()
    break
  }
  case 'lead': {
    const logger = makeLogger({ level: 'error', process: 'test', clock: systemClock })
    const signal = new AbortController().signal
    await runAsHolder(
      { database, clock: systemClock, logger, name: 'test', signal },
      async (held) => {
        say(`held ${held.fence}`)
        while (!held.signal.aborted) await systemClock.sleep(50, held.signal)
        say(`lost ${held.fence}`)
        const write = database.write((transaction) => requireFence(transaction, held))
        await write.then(
          () => say('let through'),
          (error) => say(error.code),
        )
      },
    )
    break
  }
  case 'schedule': {
    const logger = makeLogger({ level: 'error', process: 'test', clock: systemClock })
    const run = async () => void say('ran')
    const job = { name: 'saying', everyMs: 20, limitMs: 1000, run }
    const metastore = await openMetastore({ database, logger })
    say('stands by')
    startScheduler({
      engines: { database, metastore, store: makeFailingStore(() => []) },
      jobs: [job],
      clock: systemClock,
      logger,
      metrics: openMetrics('test'),
    })
    await new Promise(() => setInterval(() => {}, 1000))
    break
  }
  case 'first':
    say(JSON.stringify(await runFirstStart({ database, clock: systemClock })))
    break
  default:
    throw new Error(`no mode ${mode}`)
}
await database.close()
