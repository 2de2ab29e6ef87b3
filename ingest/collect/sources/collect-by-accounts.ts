// A collector for each account of the address book that some log names: a machine that does not
// answer holds up its own logs alone.
import { describeError } from '../../../infra/logger.ts'
import { Collector, type CollectorDeps } from '../collector.ts'
import { type OpenedSource, openSource, type SourceDeps } from './open-source.ts'

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
      for (const name of wanted)
        if (!running.has(name)) running.set(name, begin(name, await openSource(name, deps), deps))
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

function begin(account: string, opened: OpenedSource, deps: Deps): Running {
  const { source, hostName, version } = opened
  const { clock, logger } = deps
  const stopping = new AbortController()
  const signal = AbortSignal.any([deps.held.signal, stopping.signal])
  const held = { ...deps.held, signal }
  const own = { ...deps, held, source, account, hostName, closed: [] }
  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await new Collector(own).run()
      } catch (error) {
        if (signal.aborted) return
        logger.warn('collecting by an account begins anew', { account, ...describeError(error) })
        await clock.sleep(AGAIN_MS, signal)
      }
    }
  }
  const ended = run()
  return {
    version,
    stop: async () => {
      stopping.abort()
      // What waits for an answer fails.
      await source.close()
      await ended
    },
  }
}
