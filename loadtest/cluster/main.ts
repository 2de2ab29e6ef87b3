// `npm run cluster`: a whole cluster on this machine until a signal comes. Usage: see below.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cluster, startCluster } from '../../test/support/cluster/start-cluster.ts'
import { postgresBin } from '../../test/support/database/postgres-server.ts'
import { keptKafkaFolder } from './kept-kafka-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const USAGE = `usage: npm run cluster -- [--brokers 3] [--copies 2] [--port 30303] [--data <directory>]

  --brokers   Kafka brokers: 1 (default) or 3
  --copies    processes of each role but the store: 1 (default) to 4
  --port      of the edge, which stands for the whole; default: a free one
  --data      where everything is kept; default: a temporary directory, removed at the end

Kafka's jars are taken from LOGEYE_TEST_KAFKA_LIBS, or fetched once by Maven and kept in the user's cache directory; PostgreSQL is the
package of the system.
`
const STOP_MS = 60_000
const PARENT_EVERY_MS = 250

const options = readOptions()
prepare()
const began = performance.now()
let cluster: Cluster | undefined
let isStopping = false
const starting = startCluster({
  ...options,
  hasPortal: true,
  libs: kafkaFolder(),
  onStep: (text) => void process.stderr.write(`waiting for ${text}\n`),
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
followNpm()
try {
  cluster = await starting
  process.stdout.write(describe(cluster))
} catch (error) {
  process.stderr.write(`cluster: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

/** The first stops in order, the second at once: whatever runs dies with us. */
function onSignal(): void {
  if (isStopping) process.exit(1)
  isStopping = true
  process.stderr.write('stopping\n')
  setTimeout(() => process.exit(1), STOP_MS).unref()
  void starting
    .then((it) => it.stop())
    .then(
      () => process.exit(0),
      () => process.exit(1),
    )
}

/** npm ends at a signal that only it was sent, and tells nobody; between it and us there may be a
 *  shell. */
function followNpm(): void {
  const begin = describeParents()
  if (process.env.npm_lifecycle_event !== 'cluster') return
  const watch = setInterval(() => {
    if (describeParents() === begin) return
    clearInterval(watch)
    onSignal()
  }, PARENT_EVERY_MS)
  watch.unref()
}

function describeParents(): string {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    const [, parent] = /^\d+ \((?:sh|dash|bash)\) \S (\d+)/.exec(stat) ?? []
    return `${process.ppid} ${parent ?? ''}`
  } catch {
    return `${process.ppid}`
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        brokers: { type: 'string' },
        copies: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help === true) leave(USAGE, 0)
    const number = (name: 'brokers' | 'copies' | 'port', least: number, most: number) => {
      const text = values[name]
      if (text === undefined) return {}
      const value = Number(text)
      if (!(Number.isInteger(value) && value >= least && value <= most))
        throw new Error(`--${name} is a number from ${least} to ${most}`)
      return { [name]: value }
    }
    const brokers = number('brokers', 1, 3)
    if (brokers.brokers === 2) throw new Error('--brokers is 1 or 3')
    const directory = values.data === undefined ? {} : { directory: resolve(values.data) }
    return { ...brokers, ...number('copies', 1, 4), ...number('port', 1, 65_535), ...directory }
  } catch (error) {
    leave(`cluster: ${error instanceof Error ? error.message : ''}\n\n${USAGE}`, 2)
  }
}

function leave(text: string, status: number): never {
  process.stderr.write(text)
  process.exit(status)
}

function prepare(): void {
  if (postgresBin() === undefined)
    leave('cluster: PostgreSQL is not installed (Debian: apt-get install postgresql)\n', 1)
  if (spawnSync('java', ['-version']).status !== 0)
    leave('cluster: Java is not installed, Kafka 4 needs 17 or later\n', 1)
  const build = join(ROOT, 'infra/scripts/build.mjs')
  if (spawnSync(process.execPath, [build], { stdio: 'inherit' }).status !== 0) process.exit(1)
}

function kafkaFolder(): string {
  const given = process.env.LOGEYE_TEST_KAFKA_LIBS
  if (given !== undefined) return given
  const folder = keptKafkaFolder(process.env, homedir())
  if (!existsSync(folder)) process.stderr.write(`fetching Kafka into ${folder}, this once\n`)
  const get = spawnSync('sh', [join(ROOT, 'infra/scripts/get-kafka.sh'), folder], {
    stdio: 'inherit',
  })
  if (get.status !== 0) leave('cluster: Kafka cannot be fetched (Maven is needed)\n', 1)
  return folder
}

function describe({ url, secrets, nodes, engines, of, portalUrl = '' }: Cluster): string {
  // Its memory is watched while bodies are sent that are too large.
  const [listener] = of('listener').length === 1 ? of('listener') : []
  const supervisor = listener === undefined ? '' : `LOGEYE_TEST_SUPERVISOR_PID=${listener.pid()} `
  const roles = nodes.map((node) => `  ${node.name.padEnd(13)}${node.url}\n`).sort()
  return `The cluster is ready after ${((performance.now() - began) / 1000).toFixed(1)} s.

  all           ${url}
${roles.join('')}
  event log     ${engines.eventLog}
  store         ${engines.store}
  database      ${engines.database}

  token         ${secrets.token}
  password      ${secrets.password}   (user admin)

  portal        ${portalUrl}/api/portal/docs
  its operator  LOGEYE_PORTAL_DATABASE_URL='${engines.database}?schema=portal' LOGEYE_DATA_DIR='${nodes.find(({ role }) => role === 'portal')?.directory}' node dist/main.js portal init
                (or \`portal demo\`, which fills it)

The behaviour tests against it:

  LOGEYE_TEST_URL=${url} LOGEYE_TEST_TOKEN=${secrets.token} LOGEYE_TEST_ADMIN_PASSWORD=${secrets.password} ${supervisor}npx vitest run --project behaviour

Ctrl-C stops everything.
`
}
