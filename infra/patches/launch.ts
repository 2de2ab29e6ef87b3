// Runs the program that is in force: as it was installed, or a patch of it. A staged patch comes
// into force here, and is taken back when it is not healthy within a minute (docs/decisions/0112).
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import { PATCH_MAIN } from '../../schemas/keep/patch.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import { type Logger, makeLogger } from '../logger.ts'
import { parsePublicKey } from '../signed-documents/signed-document.ts'
import { isDataDirHeld } from '../supervisor/data-dir-lock.ts'
import { digestOf, readPatchHead } from './patch-archive.ts'
import {
  HEAD_FILE,
  type InstalledPatch,
  patchesFolder,
  readPatchState,
  writePatchState,
} from './patch-state.ts'

/** Exit status of a program that ends so that another can be chosen. */
export const EXIT_SWITCH = 75
/** What a patched program tells its launcher. */
export const READY_WORD = 'logeye-ready'
const HEALTHY_MS = 60_000
const STOP_MS = 20_000
const OTHER_MS = 10_000
const LOOK_MS = 50
/** Starts of a patch that was never healthy: a power cut may have ended one. */
const MAX_TRIES = 3

export type LaunchOptions = {
  readonly dataDir: string
  readonly publicKey: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** The words behind the program. */
  readonly words: readonly string[]
  /** The program as it was installed. */
  readonly startHere: () => Promise<number>
  readonly healthyMs?: number
}

/** Of this process. Resolves with the exit status. */
export async function launchProduct(
  { dataDir, patch, log }: Pick<Config, 'dataDir' | 'patch' | 'log'>,
  own: Pick<LaunchOptions, 'words' | 'startHere'>,
): Promise<number> {
  const clock = systemClock
  const logger = makeLogger({ level: log.level, process: 'launcher', clock })
  return await launch({ dataDir, publicKey: patch.publicKey, clock, logger, ...own })
}

/** Resolves with the exit status. */
export async function launch(options: LaunchOptions): Promise<number> {
  const { dataDir, logger, startHere } = options
  for (;;) {
    const { active, staged } = readPatchState(dataDir)
    if (active !== null || staged !== null) await waitForOther(options)
    const chosen = choose(options)
    if (chosen === undefined) {
      const status = await startHere()
      if (status !== EXIT_SWITCH) return status
      continue
    }
    logger.info('a patch is in force', { number: chosen.number, name: chosen.name })
    const end = await runPatched(options, chosen)
    if (end.kind === 'ended' && end.status !== EXIT_SWITCH) return end.status
    if (end.kind === 'unhealthy') takeBack(options, chosen, end.reason)
  }
}

/** A second start judges no patch; a program whose launcher was killed ends soon. */
async function waitForOther({ dataDir, clock }: LaunchOptions): Promise<void> {
  const beganMs = clock.elapsedMs()
  while (isDataDirHeld(dataDir)) {
    if (clock.elapsedMs() - beganMs > OTHER_MS)
      throw new Failure('start.data_dir_taken', { dataDir, pid: 'another' })
    await clock.sleep(LOOK_MS)
  }
}

/** Undefined: the program as it was installed. */
function choose(options: LaunchOptions): InstalledPatch | undefined {
  const { dataDir } = options
  const before = readPatchState(dataDir)
  const { staged, active } = before
  if (staged !== null) {
    const previous = before.state === 'good' ? active : before.previous
    writePatchState(dataDir, {
      ...before,
      ...{ active: staged, previous, staged: null, state: 'trying', tries: 1 },
    })
  } else if (active !== null && before.state === 'trying')
    writePatchState(dataDir, { ...before, tries: before.tries + 1 })
  const now = readPatchState(dataDir)
  if (now.active === null) return undefined
  const fault =
    now.tries > MAX_TRIES ? 'it was started and never healthy' : findFault(options, now.active)
  if (fault === undefined) return now.active
  takeBack(options, now.active, fault)
  return choose(options)
}

function takeBack({ dataDir, logger }: LaunchOptions, patch: InstalledPatch, reason: string): void {
  const state = readPatchState(dataDir)
  const { previous } = state
  logger.error('a patch was taken back', {
    number: patch.number,
    reason,
    now: previous === null ? 'as installed' : previous.number,
  })
  writePatchState(dataDir, {
    ...state,
    ...{ active: previous, previous: null, state: 'good', tries: 0, takenBack: patch.number },
  })
}

/** What is on the disk is what was signed. */
function findFault(
  { dataDir, publicKey }: LaunchOptions,
  patch: InstalledPatch,
): string | undefined {
  const key = publicKey === undefined ? undefined : parsePublicKey(publicKey)
  if (key === undefined) return 'LOGEYE_PATCH_PUBLIC_KEY is not set any more'
  const folder = join(patchesFolder(dataDir), patch.folder)
  try {
    const { list, patch: signed } = readPatchHead(
      readFileSync(join(folder, HEAD_FILE), 'utf8'),
      key,
    )
    if (signed.number !== patch.number) return 'its files are of another patch'
    for (const { path, bytes, sha256 } of list) {
      const file = join(folder, path)
      if (statSync(file).size !== bytes || digestOf(readFileSync(file)) !== sha256)
        return `its file ${path} was changed`
    }
    const known = new Set(list.map(({ path }) => path.split('/')[0]))
    const other = readdirSync(folder).find(
      (name) => name !== HEAD_FILE && name !== 'node_modules' && !known.has(name),
    )
    return other === undefined ? undefined : `${other} is not of it`
  } catch (error) {
    return error instanceof Error ? error.message : 'its files cannot be read'
  }
}

type PatchedEnd =
  | { readonly kind: 'ended'; readonly status: number }
  | { readonly kind: 'unhealthy'; readonly reason: string }

async function runPatched(options: LaunchOptions, patch: InstalledPatch): Promise<PatchedEnd> {
  const { dataDir, words, clock, healthyMs = HEALTHY_MS } = options
  const main = join(patchesFolder(dataDir), patch.folder, PATCH_MAIN)
  const child = spawn(process.execPath, [main, ...words, '--patched'], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Signals of a terminal come by us alone: two would end it at once.
    detached: process.platform !== 'win32',
  })
  let isStopped = false
  const pass = (signal: NodeJS.Signals) => {
    isStopped = true
    child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, pass)
  try {
    const ended = new Promise<number>((resolve) => {
      child.once('exit', (status) => resolve(status ?? 1))
      child.once('error', () => resolve(1))
    })
    const isTrying = readPatchState(dataDir).state === 'trying'
    if (!isTrying) return { kind: 'ended', status: await ended }
    const ready = new Promise<'ready'>((resolve) => {
      child.on('message', (word) => word === READY_WORD && resolve('ready'))
    })
    const over = new AbortController()
    const late = clock.sleep(healthyMs, over.signal).then(() => 'late' as const)
    const first = await Promise.race([ready, ended, late])
    over.abort()
    if (first === 'ready') {
      const state = readPatchState(dataDir)
      writePatchState(dataDir, { ...state, state: 'good', tries: 0 })
      return { kind: 'ended', status: await ended }
    }
    if (isStopped) return { kind: 'ended', status: await ended }
    if (first === 'late') {
      await stop(child, ended, clock)
      return { kind: 'unhealthy', reason: `it was not healthy within ${healthyMs / 1000} s` }
    }
    return { kind: 'unhealthy', reason: `it ended with status ${first}` }
  } finally {
    for (const signal of signals) process.off(signal, pass)
  }
}

async function stop(child: ChildProcess, ended: Promise<number>, clock: Clock): Promise<void> {
  child.kill('SIGTERM')
  const over = new AbortController()
  const late = clock.sleep(STOP_MS, over.signal).then(() => 'late' as const)
  if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL')
  over.abort()
  await ended
}
