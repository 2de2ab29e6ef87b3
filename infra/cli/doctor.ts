// `logeye doctor` checks whether what the product keeps is whole: a list of checks, each one
// function. It may run beside the product, since it changes nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isFailure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import type { Database } from '../database/port.ts'
import { damaged, isSqliteSound } from '../database/sqlite-check.ts'
import { checkEmbeddedEventLog, checkEventLogUrl } from '../event-log/open.ts'
import { makeLogger } from '../logger.ts'
import { readCheck } from '../metastore/ledger/store-damage.ts'
import { tellDamage } from '../metastore/ledger/tell-damage.ts'
import { type OpenedMetastore, openMetastore } from '../metastore/open.ts'

/** The lock file of data-dir-lock.ts. */
const LOCK_FILE = 'supervisor.lock'

type Context = {
  readonly config: Config
  readonly metastore: OpenedMetastore
  readonly clock: Clock
}

/** `bad`: an operator has to do something. */
type Finding = { readonly bad: boolean; readonly text: string }
type Check = { readonly name: string; run(context: Context): Promise<readonly Finding[]> }

const CHECKS: readonly Check[] = [
  { name: 'store', run: checkStoreLedger },
  { name: 'database', run: checkDatabase },
  { name: 'event log', run: checkEventLog },
]

/** What to print. Sets the exit status 1 when something is bad. */
export async function runDoctor(config: Config, database: Database, clock: Clock): Promise<string> {
  const logger = makeLogger({ level: 'error', process: 'doctor', clock })
  const metastore = await openMetastore({ database, clock, logger })
  const lines: string[] = []
  try {
    for (const { name, run } of CHECKS)
      for (const { bad, text } of await findingsOf(run, { config, metastore, clock })) {
        if (bad) process.exitCode = 1
        lines.push(`${bad ? 'BAD ' : 'ok  '} ${name}: ${text}`)
      }
  } finally {
    await metastore.close()
  }
  return lines.join('\n')
}

async function findingsOf(run: Check['run'], context: Context): Promise<readonly Finding[]> {
  try {
    return await run(context)
  } catch (error) {
    return [{ bad: true, text: isFailure(error) ? error.message : 'the check failed' }]
  }
}

/** What the writer's process found last: at its start, and every hour. */
async function checkStoreLedger({ metastore }: Context): Promise<readonly Finding[]> {
  const check = await readCheck(metastore.database.read)
  const damage = await tellDamage(metastore, { withLogs: true })
  const at = check === undefined ? '' : ` (at ${new Date(check.checkedMs).toISOString()})`
  if (damage !== undefined)
    return damage.items.map(({ message }) => ({ bad: true, text: `${message}${at}` }))
  if (check === undefined)
    return [{ bad: false, text: 'not checked yet: the product has not run since this version' }]
  return [{ bad: false, text: `${check.events} events received, none missing${at}` }]
}

/** Whole, indexes too. */
async function checkDatabase({ config, metastore }: Context): Promise<readonly Finding[]> {
  if (config.databaseUrl !== undefined) {
    await metastore.refresh()
    return [{ bad: false, text: 'answers; its own tools tell how sound it is' }]
  }
  const isSound = isSqliteSound(config.dataDir, 'integrity')
  return [{ bad: !isSound, text: isSound ? 'is sound' : damaged(config.dataDir).message }]
}

/** As a start does; a running product has it open. */
async function checkEventLog({ config, clock }: Context): Promise<readonly Finding[]> {
  const { dataDir, eventLogUrl, eventLog } = config
  if (eventLogUrl !== undefined) {
    await checkEventLogUrl(eventLogUrl.reveal())
    return [{ bad: false, text: 'kept by brokers, whose own tools tell how it is' }]
  }
  if (existsSync(join(dataDir, LOCK_FILE)))
    return [{ bad: false, text: 'in use: it was looked at when the product started' }]
  await checkEmbeddedEventLog({ dataDir, clock, ...eventLog })
  return [{ bad: false, text: 'is sound' }]
}
