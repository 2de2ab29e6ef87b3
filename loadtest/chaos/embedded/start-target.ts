// The embedded form of the product as a campaign attacks it: one start on a data directory of its
// own, senders behind two lines that can be bad, a clock that can jump.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Keeper, Random, Target } from '../campaign/target.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import { makeLineFaults } from '../line-faults.ts'
import { collectFiles } from './collected/collect-files.ts'
import { keepDays } from './kept-days.ts'
import { openPlace } from './place.ts'
import { makeProcessFaults } from './process-faults.ts'
import { type RunningProduct, runProduct } from './running-product.ts'
import {
  makeClockFault,
  makeDatabaseFault,
  makeDiskFaults,
  openClockFile,
} from './surroundings-faults.ts'

const LINES = 2
const COLLECTING_ROLES = 'listener,query,writer,scheduler,collector,store'
const POLL_MS = 20
const METRICS_LIMIT_MS = 5000
const HOOKS = join(import.meta.dirname, '../hooks')

export type EmbeddedOptions = {
  /** With root, an image whose disk can be full and whose power can be cut. */
  readonly isImageWanted: boolean
  /** A test start that is wrong on purpose. */
  readonly sabotage?: Sabotage
  /** So many days lie in the store, and are compacted, archived, deleted from and let go. */
  readonly keptDays?: number
  /** Files and objects are written, and collected. */
  readonly isCollecting?: boolean
  readonly random: Random
}

const NOT_TRIED =
  'not tried: power cuts and a disk that is full to the last byte: mounting needs root'

const SABOTAGE_HOOKS = { 'look-up': 'no-look-up.mjs', flush: 'early-answer.mjs' } as const
export type Sabotage = keyof typeof SABOTAGE_HOOKS

export async function startEmbeddedTarget(options: EmbeddedOptions): Promise<Target> {
  const place = openPlace(options)
  if (options.isImageWanted && !place.canLosePower) console.log(NOT_TRIED)
  const clockDirectory = mkdtempSync(join(tmpdir(), 'logeye-clock-'))
  const clock = openClockFile(join(clockDirectory, 'offset'))
  const { sabotage, keptDays = 0, isCollecting = false, random } = options
  const hooks = ['clock-offset.mjs', ...(sabotage === undefined ? [] : [SABOTAGE_HOOKS[sabotage]])]
  const environment = () => ({
    ...place.environment(),
    ...(keptDays === 0 ? {} : { LOGEYE_STORE_COMPACTION_HOURS: '0-24' }),
    ...(isCollecting ? { LOGEYE_ROLES: COLLECTING_ROLES } : {}),
    LOGEYE_TEST_CLOCK_FILE: clock.path,
    NODE_OPTIONS: hooks.map((it) => `--import ${pathToFileURL(join(HOOKS, it)).href}`).join(' '),
  })
  const removeAll = (keepData: boolean) => {
    rmSync(clockDirectory, { recursive: true, force: true })
    place.remove({ keepData })
  }
  let product: RunningProduct
  try {
    product = await runProduct({ dataDir: place.dataDir, environment })
  } catch (error) {
    removeAll(false)
    throw error
  }
  const { url, port, secrets } = product
  const archive = join(dirname(place.dataDir), 'archive')
  mkdirSync(archive, { recursive: true })
  const kept = { url, password: secrets.password, clock, archive, random }
  const keepers: Keeper[] = []
  try {
    if (keptDays > 0) keepers.push(await keepDays({ ...kept, days: keptDays }))
    if (isCollecting) keepers.push(await collectFiles({ ...kept, say: console.log }))
  } catch (error) {
    for (const keeper of keepers) await keeper.end()
    await product.killAll()
    removeAll(false)
    throw error
  }
  const lines = await Promise.all(Array.from({ length: LINES }, () => startFaultProxy(() => port)))
  return {
    form: place.canLosePower ? 'embedded (own disk)' : 'embedded',
    secrets,
    keepers,
    faults: [
      ...makeProcessFaults(product),
      ...makeLineFaults(lines, 'of senders', 2),
      makeClockFault(clock),
      makeDatabaseFault(place.dataDir),
      ...makeDiskFaults(place, product),
    ],
    senderUrl: (sender, attempt) =>
      `http://127.0.0.1:${lines[(sender + Math.floor(attempt / 2)) % LINES]?.port}`,
    searchUrl: () => url,
    readMetrics: () => readMetrics(url),
    untilReady: (limitMs) => untilReady(product, limitMs),
    output: () => product.output(),
    stop: () => product.stop(),
    destroy: async ({ keepData }) => {
      await Promise.allSettled([product.killAll(), ...lines.map((line) => line.close())])
      removeAll(keepData)
    },
  }
}

async function readMetrics(url: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(METRICS_LIMIT_MS) })
  const text = await answer.text()
  // A process that is away, or late, is simply not in it.
  for (const [role, name] of [
    ['front', 'logeye_listener_in_flight_bytes'],
    ['work', 'logeye_writer_lag_blocks'],
  ] as const)
    if (
      !text.split('\n').some((it) => it.startsWith(`${name}{`) && it.includes(`process="${role}"`))
    )
      throw new Error(`the metrics of ${role} are missing`)
  return text
}

async function untilReady(product: RunningProduct, limitMs: number): Promise<void> {
  for (const begin = performance.now(); !(await product.isReady()); await sleep(POLL_MS))
    if (performance.now() - begin > limitMs)
      throw new Error(`not ready within ${limitMs} ms:\n${product.output().slice(-3000)}`)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
