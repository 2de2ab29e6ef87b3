// What the process that runs a search spends before the store has it, by the logs that its user may
// see and the columns of each: `npx tsx loadtest/scope-cost.ts`. CPU time of rights, columns and
// compiling, the least of some rounds, so that a busy machine counts less.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../infra/clock.ts'
import { openDatabase } from '../infra/database/open.ts'
import { makeLogger } from '../infra/logger.ts'
import { openMetastore } from '../infra/metastore/open.ts'
import type { NewColumn, NewLog } from '../infra/metastore/tree/port.ts'
import { addUser } from '../infra/metastore/users/user-changes.ts'
import { compileSearch } from '../query/language/compile-search.ts'
import { readVisibleScope } from '../query/search/visible-scope.ts'

const LOGS = [50, 5050]
const COLUMNS = [0, 15]
const ROUNDS = 40
const TEXT = '* | count | group by level'

const cost = new Map<string, number>()
for (const logs of LOGS)
  for (const columns of COLUMNS) {
    const { firstMs, againMs } = await measure(logs, columns)
    const figures = `first ${firstMs.toFixed(2)} ms, again ${againMs.toFixed(2)} ms`
    cost.set(`${logs}/${columns}`, againMs)
    process.stdout.write(`${logs} logs of ${columns} columns: ${figures}\n`)
  }
const more = (cost.get('5050/15') ?? 0) - (cost.get('50/15') ?? 0)
process.stdout.write(`5,000 visible logs of 15 columns more cost ${more.toFixed(2)} ms\n`)

async function measure(logs: number, columns: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-scope-cost-'))
  const database = await openDatabase({ url: undefined, dataDir, clock: systemClock })
  const logger = makeLogger({ level: 'error', process: 'loadtest', clock: systemClock })
  const metastore = await openMetastore({ database, logger })
  try {
    const userId = await database.write((t) => addUser(t, 'reader', { passwordHash: 'x' }))
    const made = await metastore.addLogs(Array.from({ length: logs }, (_, at) => newLog(at)))
    await metastore.addColumns(made.flatMap(({ id }) => columnsOf(id, columns)))
    const window = { startMs: null, endMs: null }
    const style = { dateFormat: 'yyyy-MM-dd HH:mm:ss', timeZone: 'UTC', nowMs: 0 }
    const times: number[] = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const before = process.cpuUsage()
      const scope = await readVisibleScope(metastore, {
        id: userId,
        operations: new Set(),
        masks: [],
      })
      compileSearch({ ...scope, ...style, text: TEXT, window, maxRows: 100 })
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1000)
    }
    const [firstMs = 0, ...again] = times
    return { firstMs, againMs: Math.min(...again) }
  } finally {
    await metastore.close()
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function newLog(at: number): NewLog {
  const facts = { accountId: null, policyId: 1, appTags: [], typeWords: [], receivedHour: 0 }
  return { folder: ['Events'], name: `log-${at}`, ...facts }
}

/** Two thirds of the names are in every log, the rest in one of fifty. */
function columnsOf(logId: number, count: number): NewColumn[] {
  return Array.from({ length: count }, (_, at) => {
    const name = at % 3 === 2 ? `column ${at} of ${logId % 50}` : `column ${at}`
    return { logId, name, kind: 'text' }
  })
}
