// Which form the files of a data directory have: said in the file `format`, so that an older
// program does not touch what it cannot read.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import { UNFINISHED_FILE } from '../backup/backup-layout.ts'

/** Raised when a program before the change could not read what this one writes, together with what
 *  brings older files up to it: 2: counters by policy, table `gone` (infra/store/migrate.ts), the
 *  writer's position of version 2 (ingest/writer/position-state.ts). */
export const DATA_FORMAT = 2
const FILE = 'format'

/** Only by who holds the lock of the directory. A directory of an older format gets this one's
 *  number before anything in it is changed, so that an older program refuses it from then on; the
 *  steps themselves run, and run again, with the engines. Gives the older number, if it was one.
 *  Fails with start.refused when a newer program, or something else, wrote it. */
export function checkDataFormat(dataDir: string): number | undefined {
  refuseUnfinished(dataDir)
  const found = readFormat(join(dataDir, FILE))
  if (found === DATA_FORMAT) return undefined
  if (found !== undefined && !(found < DATA_FORMAT)) throw refused(dataDir, found)
  const draft = join(dataDir, `${FILE}.${process.pid}`)
  writeFileSync(draft, `${DATA_FORMAT}\n`, { mode: 0o640, flush: true })
  renameSync(draft, join(dataDir, FILE))
  return found
}

function refuseUnfinished(dataDir: string): void {
  if (!existsSync(join(dataDir, UNFINISHED_FILE))) return
  const reason = `a restore into ${dataDir} did not end: run 'logeye restore' again`
  throw new Failure('start.refused', { reason })
}

/** undefined: a new directory, or one from before there was such a file, which is of form 1. */
function readFormat(file: string): number | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  return /^[1-9]\d{0,5}\n?$/.test(text) ? Number(text) : Number.NaN
}

function refused(dataDir: string, found: number): Failure {
  const reason = Number.isNaN(found)
    ? `${join(dataDir, FILE)} is damaged: it holds one number, which version of the files this is`
    : `the data directory ${dataDir} was written by a newer version of the product (format ${found}, this one knows ${DATA_FORMAT})`
  return new Failure('start.refused', { reason })
}
