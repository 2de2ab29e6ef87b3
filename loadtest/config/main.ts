// What reads of the configuration cost with 10,000 logs: `npm run bench:config`. Each figure is the
// least of some rounds over the routes, by turns, without a socket, since others use the machine;
// beside it the median. A fixed piece of work is measured beside them, and each figure is printed
// as a ratio to it, too: runs on busy or other machines compare. What a template costs the writer
// and what a backup costs ingest follow (loadtest/bench-patterns.ts, loadtest/operation/).
import { createHash } from 'node:crypto'
import { systemClock } from '../../infra/clock.ts'
import { setViewers } from '../../infra/metastore/rights/node-permissions.ts'
import { addTag } from '../../infra/metastore/tags/app-tags.ts'
import { readTagQuery } from '../../query/configuration/source-scope.ts'
import { openTestApp } from '../../test/support/apps/query-app.ts'
import { openQueryDatabase } from '../../test/support/database/query-database.ts'
import { startEmbeddedStore } from '../../test/support/store/embedded-store.ts'
import { loadCounts, loadEvents } from './load-store.ts'

const LOGS = 10_000
const FOLDERS = 200
const TAGS = 50
const ROUNDS = 15
const EVENTS = 10_000_000
const LOAD_EVENTS_MS = 120_000
/** The least of a work's rounds, and the one in the middle. */
type Measured = ((name: string) => number) & { middle(name: string): number }
type Given = Readonly<Record<string, string>>
const QUARTER: Given = { fixedInterval: 'last15Minutes' }
/** Before the events were loaded by so much that all of it is there. */
const SECONDS: Given = { startTime: '-600s', endTime: '-599s' }
const PASSWORD = 'a password of the reader'

const [engine, db] = await Promise.all([startEmbeddedStore(), openQueryDatabase()])
const app = openTestApp(db, engine.store)
try {
  await bench()
} finally {
  await app.app.stop()
  await db.close()
  await engine.stop()
}

async function bench(): Promise<void> {
  const { metastore, database } = db
  const nowMs = systemClock.nowMs()
  const made = await metastore.addLogs(
    Array.from({ length: LOGS }, (_, n) => ({
      ...{ folder: ['Bench', `folder ${n % FOLDERS}`], name: `log ${n}` },
      ...{ accountId: null, policyId: 1, appTags: [], typeWords: [], receivedHour: 0 },
    })),
  )
  await db.addUser('reader', PASSWORD)
  await database.write(async (transaction) => {
    for (let n = 0; n < FOLDERS; n += 2) {
      const place = { kind: 'folder', levels: ['Bench', `folder ${n}`] } as const
      await setViewers(transaction, place, { groups: [], users: [] })
    }
  })
  const into = { store: engine.store, logIds: made.map(({ id }) => id), nowMs }
  const counted = await loadCounts(into)
  const events = await loadEvents(into, { upTo: EVENTS, forMs: LOAD_EVENTS_MS })
  print(`${LOGS} logs, counters of ${counted} events, ${events} events, ${TAGS} tags`)

  const admin = { name: 'admin', password: db.adminPassword }
  const reader = { name: 'reader', password: PASSWORD }
  const tree = () => get('restapi/folders-and-logs-configuration', {}, admin)
  const statistics = (timeFrame: string) => () =>
    get('message/messageJsonApi.jsp', { api: 'collectedDataInfo', timeFrame }, admin)
  const search =
    (user: typeof admin, scope = '', time: Given = QUARTER) =>
    () =>
      get(
        'view/api/widgetAPI.jsp',
        { widgetId: 'searchAPI', searchQuery: `*${scope} | count`, ...time },
        user,
      )
  const untagged = await measure({ work, tree })
  for (let n = 0; n < TAGS; n += 1)
    await database.write((transaction) =>
      addTag(
        transaction,
        `tag ${n}`,
        { sourceQuery: n === 0 ? 'folder.Bench' : `log.*${n}, folder.folder ${n}*` },
        readTagQuery,
      ),
    )
  await metastore.refresh()
  const before = performance.now()
  await metastore.tree()
  print(`${TAGS} source queries asked of ${LOGS} logs: ${ms(performance.now() - before)}`)
  const found = await measure({
    ...{ work, tree, day: statistics('last24Hours'), hour: statistics('last60Minutes') },
    ...{ all: search(admin), visible: search(reader) },
    ...{ fewOfAll: search(admin, '', SECONDS), fewVisible: search(reader, '', SECONDS) },
    ...{ folder: search(admin, ' in folder.Bench'), tag: search(admin, ' in apptag.tag 0') },
  })
  const base = found('work')
  const tell = (name: string, value: number, aim?: number, more = '') =>
    print(
      `${name}: ${ms(value)}, ${(value / base).toFixed(2)} × the fixed work${aim === undefined ? '' : `, aim ${aim} ms: ${value <= aim ? 'held' : 'MISSED'}`}${more}`,
    )
  const row = (name: string, key: string, aim?: number, of = found) =>
    tell(name, of(key), aim, ` (median ${ms(of.middle(key))})`)
  const difference = (name: string, [more, less]: readonly [string, string], aim?: number) =>
    tell(name, found(more) - found(less), aim)
  row('fixed work', 'work')
  row('tree, without tags', 'tree', undefined, untagged)
  row('tree', 'tree', 300)
  row('statistics of a day', 'day', 50)
  row('statistics of an hour', 'hour', 50)
  row('search of a second, all logs', 'fewOfAll')
  row('search of a second, who may view 5,000 of them', 'fewVisible')
  difference('  more for the list', ['fewVisible', 'fewOfAll'], 10)
  // Here each of millions of events is looked up in the list, and its log has to be read.
  row('search of a quarter, all logs', 'all')
  row('search of a quarter, who may view 5,000 of them', 'visible')
  difference('  more for the list and the column', ['visible', 'all'])
  row('search in a folder of all logs', 'folder')
  row('search in a tag of all logs', 'tag')
}

/** Hashing, one core. */
async function work(): Promise<void> {
  createHash('sha256')
    .update(Buffer.alloc(8 * 1024 * 1024))
    .digest()
}

/** In turn, so that a busy moment meets all of them; the first round is not counted. */
async function measure(works: Readonly<Record<string, () => Promise<unknown>>>): Promise<Measured> {
  const times = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, run] of Object.entries(works)) {
      const started = performance.now()
      await run()
      if (round > 0) times.set(name, [...(times.get(name) ?? []), performance.now() - started])
    }
  const sorted = (name: string) => (times.get(name) ?? []).sort((a, b) => a - b)
  const least = (name: string) => sorted(name)[0] ?? Number.NaN
  return Object.assign(least, {
    middle: (name: string) => sorted(name)[Math.floor(ROUNDS / 2)] ?? Number.NaN,
  })
}

async function get(
  path: string,
  given: Given,
  user: { readonly name: string; readonly password: string },
): Promise<void> {
  const basic = Buffer.from(`${user.name}:${user.password}`).toString('base64')
  const authorization = `Basic ${basic}`
  const answer = await app.call(`/logeye/${path}?${new URLSearchParams(given)}`, {
    headers: { authorization },
  })
  const text = await answer.text()
  if (answer.status !== 200 || text.includes('state="Fail"'))
    throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`)
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
