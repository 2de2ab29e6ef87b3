// A backup under load whose processes are killed; then the same command again.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callSdk } from '../../../test/support/clients/call-sdk.ts'
import { makeBackup, untilBackupEnded } from '../../../test/support/product/make-backup.ts'
import { type Product, waitUntilUrlReady } from '../../../test/support/product/product.ts'
import { type Cuts, MAIN, type Random, runProgram } from './cut.ts'

/** Mostly the one that makes it. */
const STRUCK = ['work', 'work', 'store', 'front']

export async function cutBackups(
  product: Product,
  options: { readonly kills: number; readonly random: Random; readonly name?: string },
): Promise<Cuts & { readonly backups: readonly string[] }> {
  const { kills, random, name: first = 'whole' } = options
  const operator = { url: product.url, password: product.secrets.password }
  const directory = join(product.dataDir, 'backups')
  const faults: string[] = []
  const beganMs = performance.now()
  const whole = await makeBackup(operator, first)
  if (whole.state !== 'done') faults.push(`an uncut backup: ${whole.reason}`)
  const wholeMs = performance.now() - beganMs
  let unfinished = 0
  for (let i = 0; i < kills; i += 1) {
    const name = `cut-${i}`
    const asked = callSdk(operator, 'backup', { name }).catch(() => undefined)
    await sleep(random(Math.ceil(wholeMs)))
    const role = STRUCK[random(STRUCK.length)]
    const victim = product.processes().find((one) => one.role === role)
    if (victim !== undefined) process.kill(victim.pid, 'SIGKILL')
    await asked
    await waitUntilUrlReady(product.url)
    const ended = await untilBackupEnded(operator, name)
    const isThere = existsSync(join(directory, name))
    if (ended.state !== 'done') unfinished += 1
    if (isThere !== (ended.state === 'done'))
      faults.push(`${name} (${role} killed) is said to be ${ended.state}, there: ${isThere}`)
    if (isThere) continue
    const again = await makeBackup(operator, name)
    if (again.state !== 'done') faults.push(`${name} again: ${again.state} ${again.reason}`)
  }
  const names = readdirSync(directory)
  faults.push(...names.filter((name) => name.startsWith('.')).map((name) => `${name} was left`))
  const backups = names.filter((name) => !name.startsWith('.')).map((it) => join(directory, it))
  for (const backup of backups) {
    const words = [MAIN, 'restore', '--dry-run', backup]
    const { status, err } = await runProgram(words, { LOGEYE_DATA_DIR: join(directory, 'none') })
    if (status !== 0) faults.push(`${backup} cannot be restored: ${err}`)
  }
  return { kills, unfinished, faults, backups }
}
