// Logs that are copied by one remote product account. Each has a loop of its own; a few are open at
// once, since the other side opens few live tails for a user, and more take turns.
import type { Clock } from '../../../infra/clock.ts'
import { describeError } from '../../../infra/logger.ts'
import { saveCollectFaults } from '../../../infra/metastore/collect/collect-faults.ts'
import { takeSourceVersion } from '../../../infra/metastore/collect/collect-sources.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { newestTemplateNumber } from '../../../infra/metastore/templates/template-versions.ts'
import type { LogRecord } from '../../../infra/metastore/tree/port.ts'
import { RemoteFault } from '../../../infra/outbound/remote-fault.ts'
import type { RemoteLogeye } from '../../../infra/outbound/remote-logeye.ts'
import { sourceOfLog } from '../log-work.ts'
import { MarkedLog, type MarkedLogDeps } from '../marked/marked-log.ts'
import type { CollectTelemetry } from '../telemetry.ts'
import { copyLog } from './copy-log.ts'
import { Turns } from './turns.ts'

const LOOK_EVERY_MS = 1000
const LEAST_AGAIN_MS = 1000
const MOST_AGAIN_MS = 60_000
/** The other side opens five for a user, of which one is left to people. */
const MOST_OPEN = 4
/** A tail tells where it stands every 10 s. */
const TURN_MS = 15_000

type Deps = Omit<MarkedLogDeps, 'metastore'> & {
  readonly metastore: OpenedMetastore
  readonly clock: Clock
  readonly telemetry: CollectTelemetry
  readonly account: string
  readonly remote: RemoteLogeye
}

type Copy = {
  readonly logId: number
  readonly name: string
  /** Another one: it begins anew. */
  readonly said: string
  fault: string
  readonly stopping: AbortController
  ended: Promise<void>
}

type Wanted = { readonly log: LogRecord; readonly entry: string; readonly said: string }

/** Until the signal aborts. Fails with what the database says. */
export async function copyByAccount(deps: Deps): Promise<void> {
  const { clock, held, telemetry, account } = deps
  const turns = new Turns(MOST_OPEN)
  const copies = new Map<string, Copy>()
  const faults = new Map<number, string>()
  let failure: { readonly error: unknown } | undefined
  try {
    while (!held.signal.aborted && failure === undefined) {
      const wanted = await readWanted(deps)
      for (const [key, copy] of copies) {
        if (wanted.get(key)?.said === copy.said) continue
        copy.stopping.abort()
        await copy.ended
        copies.delete(key)
      }
      for (const [key, { log, entry, said }] of wanted) {
        if (copies.has(key)) continue
        const copy: Copy = {
          ...{ logId: log.id, name: entry, said, fault: '', ended: Promise.resolve() },
          stopping: new AbortController(),
        }
        copy.ended = keepCopying(deps, { log, copy, turns }).catch((error: unknown) => {
          failure ??= { error }
        })
        copies.set(key, copy)
      }
      const logs = new Map([...wanted.values()].map(({ log }) => [log.id, log]))
      await saveFaults(deps, [...copies.values()], faults)
      const lookedMs = clock.elapsedMs()
      telemetry.told(
        account,
        [...logs.values()].map((log) => ({ ...progressOf(log, [...copies.values()]), lookedMs })),
      )
      await clock.sleep(LOOK_EVERY_MS, held.signal)
    }
  } finally {
    for (const { stopping } of copies.values()) stopping.abort()
    await Promise.all([...copies.values()].map(({ ended }) => ended))
    telemetry.told(account, [])
  }
  if (failure !== undefined) throw failure.error
}

/** Each log that is copied, by the log here and its name there. */
async function readWanted({ metastore, account }: Deps): Promise<ReadonlyMap<string, Wanted>> {
  const templates = await newestTemplateNumber(metastore.database.read)
  const logs = [...(await metastore.tree()).logs.values()].filter(
    ({ definition }) => definition.account === account,
  )
  return new Map(
    logs.flatMap((log) =>
      log.definition.filePaths.map((entry) => {
        const said = JSON.stringify([sourceOfLog(log), templates])
        return [`${log.id} ${entry}`, { log, entry, said }] as const
      }),
    ),
  )
}

async function keepCopying(
  deps: Deps,
  { log, copy, turns }: { readonly log: LogRecord; readonly copy: Copy; readonly turns: Turns },
): Promise<void> {
  const { clock, metastore, remote, telemetry, logger } = deps
  const signal = AbortSignal.any([deps.held.signal, copy.stopping.signal])
  const held = { ...deps.held, signal }
  const source = sourceOfLog(log)
  const version = await metastore.database.write((transaction) =>
    takeSourceVersion(transaction, log.id, source, clock.nowMs()),
  )
  const account = await metastore.accountVersion(-log.id, version)
  let againMs = LEAST_AGAIN_MS
  while (!signal.aborted) {
    const turn = await turns.take(signal)
    if (turn === undefined) return
    try {
      const marked = await MarkedLog.open(
        { ...deps, held },
        { logId: log.id, place: copy.name, account },
      )
      if (marked === undefined) return
      const over = new AbortController()
      const watching = turns.watch(clock, TURN_MS, AbortSignal.any([signal, over.signal]))
      const ending = AbortSignal.any([signal, watching])
      await copyLog({
        ...{ remote, log: marked, name: copy.name, signal: ending },
        query: `${source.filter === '' ? '*' : `(${source.filter})`} in ${printScope(copy.name)}`,
        reached: () => {
          copy.fault = ''
          againMs = LEAST_AGAIN_MS
        },
        copied: (events, bytes) => telemetry.copied(events, bytes),
        elapsedMs: clock.elapsedMs,
        sleep: clock.sleep,
      })
        .catch((error: unknown) => {
          // Its turn was over.
          if (!(error instanceof RemoteFault && ending.aborted)) throw error
        })
        .finally(() => over.abort())
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RemoteFault)) throw error
      if (copy.fault === '') logger.warn('copying a log stops', describeError(error))
      copy.fault = error.message
    } finally {
      turn.end()
    }
    if (copy.fault === '') continue
    await clock.sleep(againMs, signal)
    againMs = Math.min(againMs * 2, MOST_AGAIN_MS)
  }
}

/** As the language has it: quoted, nothing in it is a wildcard or ends it. */
function printScope(path: string): string {
  return `log."${path.replace(/["\\]/g, (character) => `\\${character}`)}"`
}

async function saveFaults(
  { metastore, held, clock }: Deps,
  copies: readonly Copy[],
  saved: Map<number, string>,
): Promise<void> {
  const now = new Map<number, string>()
  for (const { logId } of copies) now.set(logId, faultsOf(logId, copies).join('; '))
  for (const logId of saved.keys()) if (!now.has(logId)) now.set(logId, '')
  const changed = new Map([...now].filter(([logId, fault]) => saved.get(logId) !== fault))
  if (changed.size === 0) return
  await saveCollectFaults({ database: metastore.database, held }, changed, clock.nowMs())
  for (const [logId, fault] of changed) saved.set(logId, fault)
}

function faultsOf(logId: number, copies: readonly Copy[]): readonly string[] {
  const own = copies.filter((copy) => copy.logId === logId && copy.fault !== '')
  return [...new Set(own.map(({ fault }) => fault))]
}

function progressOf({ id, folder, name }: LogRecord, copies: readonly Copy[]) {
  return {
    log: [...folder, name].join('->'),
    ...{ files: 0, behindBytes: 0, behindSeconds: 0 },
    faults: faultsOf(id, copies),
  }
}
