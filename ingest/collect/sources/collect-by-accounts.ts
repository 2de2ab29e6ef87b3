// A collector for each account of the address book that some log names: a machine that does not
// answer holds up its own logs alone.
import { describeError } from '../../../infra/logger.ts'
import { Collector, type CollectorDeps } from '../collector.ts'
import { copyByAccount } from '../copies/copy-account.ts'
import { openMountedShare, openRemoteLogeye, openSource, type SourceDeps } from './open-source.ts'

const LOOK_EVERY_MS = 1000
const AGAIN_MS = 1000

type Deps = Omit<CollectorDeps, 'source' | 'account'> & SourceDeps
type Running = { readonly version: number; stop(): Promise<void> }

/** Until the signal aborts. Fails with what the database says. */
export async function collectByAccounts(deps: Deps): Promise<void> {
  const { clock, held } = deps
  const running = new Map<string, Running>()
  try {
    while (!held.signal.aborted) {
      const wanted = await readAccounts(deps)
      const versions = await readVersions(deps, wanted)
      for (const [name, { version, stop }] of running) {
        if (wanted.has(name) && versions.get(name) === version) continue
        await stop()
        running.delete(name)
      }
      for (const name of wanted) if (!running.has(name)) running.set(name, await begin(name, deps))
      await clock.sleep(LOOK_EVERY_MS, held.signal)
    }
  } finally {
    await Promise.all([...running.values()].map(({ stop }) => stop()))
  }
}

async function readAccounts({ metastore }: Deps): Promise<ReadonlySet<string>> {
  const logs = [...(await metastore.tree()).logs.values()]
  const named = logs.filter(({ definition }) => definition.filePaths.length > 0)
  return new Set(named.map(({ definition }) => definition.account).filter((name) => name !== ''))
}

/** 0: there is none. */
async function readVersions({ metastore }: Deps, names: ReadonlySet<string>) {
  const rows =
    names.size === 0
      ? []
      : await metastore.database.read
          .selectFrom('book_accounts')
          .select(['name', 'version'])
          .execute()
  const known = new Map(rows.map(({ name, version }) => [name, version]))
  return new Map([...names].map((name) => [name, known.get(name) ?? 0]))
}

async function begin(account: string, deps: Deps): Promise<Running> {
  const copied = await openRemoteLogeye(account, deps)
  if (copied !== undefined) {
    const { remote, version } = copied
    const run = (held: Deps['held']) => copyByAccount({ ...deps, held, account, remote })
    return keepRunning(account, deps, { version, run, close: async () => undefined })
  }
  const share = await openMountedShare(account, deps)
  if (share !== undefined) {
    const { source, hostName, version } = share
    const run = (held: Deps['held']) =>
      new Collector({ ...deps, held, source, account, hostName }).run()
    return keepRunning(account, deps, { version, run, close: () => source.close() })
  }
  const { source, hostName, version } = await openSource(account, deps)
  return keepRunning(account, deps, {
    version,
    run: (held) => new Collector({ ...deps, held, source, account, hostName }).run(),
    close: () => source.close(),
  })
}

function keepRunning(
  account: string,
  { clock, logger, held }: Deps,
  work: {
    readonly version: number
    run(held: Deps['held']): Promise<void>
    /** What waits for an answer fails. */
    close(): Promise<void>
  },
): Running {
  const stopping = new AbortController()
  const signal = AbortSignal.any([held.signal, stopping.signal])
  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await work.run({ ...held, signal })
      } catch (error) {
        if (signal.aborted) return
        logger.warn('collecting by an account begins anew', { account, ...describeError(error) })
        await clock.sleep(AGAIN_MS, signal)
      }
    }
  }
  const ended = run()
  return {
    version: work.version,
    stop: async () => {
      stopping.abort()
      await work.close()
      await ended
    },
  }
}
