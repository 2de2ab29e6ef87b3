// A restore that is killed: no start takes what it left, and the same command again gives all.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseManifest } from '../../../infra/backup/manifest.ts'
import { type Cuts, MAIN, type Random, runProgram } from './cut.ts'

/** In the backup alone. */
const BLOCKS = 'event-log-blocks'

export async function cutRestores(
  backup: string,
  options: { readonly kills: number; readonly random: Random; readonly place: string },
): Promise<Cuts & { readonly dataDir: string }> {
  const { kills, random, place } = options
  const faults: string[] = []
  const dataDir = join(place, 'restored')
  const environment = { LOGEYE_DATA_DIR: dataDir }
  const words = [MAIN, 'restore', backup]
  const whole = await runProgram(words, environment)
  if (whole.status !== 0) faults.push(`an uncut restore: ${whole.err}`)
  let unfinished = 0
  for (let i = 0; i < kills; i += 1) {
    rmSync(dataDir, { recursive: true, force: true })
    // The start of the program is not what is looked at.
    const afterMs = whole.ms / 4 + random(Math.ceil(0.9 * whole.ms))
    const cut = await runProgram(words, environment, afterMs)
    if (cut.status === 0) continue
    unfinished += 1
    const hasMark = existsSync(join(dataDir, 'restore-unfinished'))
    const hasContent = existsSync(join(dataDir, 'logeye.db')) || existsSync(join(dataDir, 'store'))
    if (hasMark) {
      const start = await runProgram([MAIN, 'start'], environment, 20_000)
      if (start.status !== 1 || !start.err.includes("run 'logeye restore' again"))
        faults.push(`a half restore was started: ${start.status} ${start.err}`)
    } else if (hasContent) {
      const missing = compare(backup, dataDir)
      if (missing.length > 0) faults.push(`half a restore has no mark: ${missing.join()}`)
      continue
    }
    const again = await runProgram(words, environment)
    if (again.status !== 0) faults.push(`restore again: ${again.err}`)
    faults.push(...compare(backup, dataDir))
  }
  return { kills, unfinished, faults, dataDir }
}

/** Files that are not as they are in the backup. */
function compare(backup: string, dataDir: string): string[] {
  const { entries } = parseManifest(readFileSync(join(backup, 'manifest'), 'utf8'))
  return entries.flatMap(({ path, ...facts }) => {
    if ('link' in facts || path === BLOCKS) return []
    const to = join(dataDir, path)
    const isSame = existsSync(to) && readFileSync(to).equals(readFileSync(join(backup, path)))
    return isSame ? [] : [`${path} is not as in the backup`]
  })
}
