// `logeye doctor`: the checks, on the machine itself. It may run beside the product, and while the
// product is stopped or its database cannot be opened.
import { isFailure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import type { Database } from '../database/port.ts'
import type { Grade, NamedFinding } from '../doctor/check.ts'
import { CHECKS } from '../doctor/checks.ts'
import { runChecks } from '../doctor/run-checks.ts'
import { askRunningProduct } from '../doctor/running-product.ts'
import { makeLogger } from '../logger.ts'
import { type OpenedMetastore, openMetastore } from '../metastore/open.ts'
import { openExistingDatabase } from './with-database.ts'

const WORDS: Readonly<Record<Grade, string>> = { bad: 'BAD ', warn: 'WARN', ok: 'ok  ' }

/** What to print. Sets the exit status 1 when something is bad. Fails with start.refused where no
 *  product ever was. */
export async function runDoctor(config: Config, clock: Clock): Promise<string> {
  const opened = await openKept(config, clock)
  try {
    const findings = await runChecks(CHECKS, {
      config,
      clock,
      metastore: opened.metastore,
      product: await askRunningProduct(config),
      mayNameLogs: true,
    })
    const all = [...opened.findings, ...findings]
    if (all.some(({ grade }) => grade === 'bad')) process.exitCode = 1
    return all.map(printFinding).join('\n')
  } finally {
    await opened.close()
  }
}

export function printFinding({ grade, check, text, advice }: NamedFinding): string {
  const line = `${WORDS[grade]} ${check}: ${text}`
  return advice === undefined ? line : `${line}\n     → ${advice}`
}

type Kept = {
  readonly metastore: OpenedMetastore | undefined
  readonly findings: readonly NamedFinding[]
  close(): Promise<void>
}

async function openKept(config: Config, clock: Clock): Promise<Kept> {
  let database: Database | undefined
  try {
    database = await openExistingDatabase(config)
    const logger = makeLogger({ level: 'error', process: 'doctor', clock })
    const metastore = await openMetastore({ database, clock, logger })
    const close = async () => {
      await metastore.close()
      await database?.close()
    }
    return { metastore, findings: [], close }
  } catch (error) {
    await database?.close()
    if (!isFailure(error) || error.code === 'start.refused') throw error
    const finding = { check: 'database', grade: 'bad', text: error.message } as const
    return { metastore: undefined, findings: [finding], close: () => Promise.resolve() }
  }
}
