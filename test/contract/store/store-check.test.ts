// What a start says of the store at LOGEYE_STORE_URL: a real one, a wrong password, something else,
// nothing at all.
import { createServer, type Server as HttpServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkStore } from '../../../infra/store/check-server.ts'
import { startClickHouseDouble } from '../../support/store/clickhouse-double.ts'
import { openSharedStore, type SharedStore } from '../../support/store/shared-store.ts'

let embedded: SharedStore
let other: HttpServer
const doubles: { stop(): Promise<void> }[] = []

type Server = typeof GOOD & { failure?: { code: number; text: string } }
const GOOD = {
  version: '26.7.2.1',
  otherVersion: '26.7.2.1',
  settings: [
    'enable_materialized_cte',
    'use_skip_indexes_for_disjunctions',
    'allow_reorder_prewhere_conditions',
    'max_threads_min_free_memory_per_thread',
  ],
  functions: ['mergeTreeTextIndex'],
  replicas: 2,
  plain: 0,
  macros: ['shard', 'replica', 'cluster'],
}

async function startServer(lack: Partial<Server>) {
  const server: Server = { ...GOOD, ...lack }
  const { version, otherVersion, macros, failure } = server
  const double = await startClickHouseDouble(({ sql }) => {
    if (failure !== undefined) return failure
    if (sql.includes('system.clusters'))
      return [{ replicas: String(server.replicas), plain: String(server.plain) }]
    if (sql.includes('system.macros'))
      return [
        { host: 'ch-1', version, macros },
        { host: 'ch-2', version: otherVersion, macros },
      ]
    return [{ version, settings: server.settings, functions: server.functions }]
  })
  doubles.push(double)
  return { url: `${double.url.replace('://', '://u:secret-word@')}/logs` }
}

const otherUrl = () => {
  const address = other.address()
  return `http://u:secret-word@127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

beforeAll(async () => {
  embedded = await openSharedStore({ shouldMigrate: false })
  other = createServer((request, response) => {
    request.resume()
    response.writeHead(404).end('not here')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  other.close()
  for (const double of doubles) await double.stop()
  await embedded.stop()
})

describe('the store by its address', () => {
  const withPassword = (password: string) => {
    const url = new URL(embedded.url)
    url.username = 'logeye'
    url.password = password
    return url.href
  }

  it('is taken when it answers', async () => {
    expect(await checkStore(withPassword(embedded.password))).toBe(true)
  })

  it.each([
    ['a wrong password', () => withPassword('wrong'), 'user or password is wrong'],
    ['something else', otherUrl, 'the program that answers there is not a ClickHouse server'],
  ])('is refused in one line, without its password: %s', async (_, url, reason) => {
    const text = `the store at ${new URL(url()).host} cannot be used: ${reason}`
    await expect(checkStore(url())).rejects.toThrow(text)
  })

  it.each([
    ['25.12.1.1', false],
    ['26.6.9.1', false],
    ['26.7.1.1', true],
    ['27.1.1.1', true],
  ])('of version %s is taken: %s', async (version, isTaken) => {
    const checked = checkStore((await startServer({ version })).url)
    if (isTaken) expect(await checked).toBe(true)
    else await expect(checked).rejects.toThrow(`it is ClickHouse ${version}, 26.7 is the oldest`)
  })

  it.each<[Partial<Server>, string]>([
    [{ settings: ['allow_reorder_prewhere_conditions'] }, 'it lacks enable_materialized_cte, use_'],
    [{ functions: [] }, 'it lacks mergeTreeTextIndex'],
    [{ replicas: 0 }, 'it knows no cluster logeye'],
    [{ plain: 1 }, 'the shards of cluster logeye must have internal_replication'],
    [{ macros: ['shard'] }, 'ch-1 has no macro {replica}'],
    [{ macros: [] }, 'ch-1 has no macro {shard} and {replica}'],
    [{ otherVersion: '26.3.1.1' }, 'ch-2: it is ClickHouse 26.3.1.1, 26.7 is the oldest'],
    [{ failure: { code: 81, text: 'Database logs does not exist' } }, 'it has no database of this'],
    [{ failure: { code: 115, text: 'Unknown setting x' } }, 'it does not know a setting'],
    [{ failure: { code: 164, text: 'Cannot modify x in readonly mode' } }, "the user's profile"],
    [
      {
        failure: {
          code: 497,
          text: 'u: Not enough privileges. To execute this query, it is necessary to have the grant SELECT(name, value) ON system.settings',
        },
      },
      'the user lacks the right SELECT(name, value) ON system.settings',
    ],
  ])('is refused in one line as a server of a cluster: %o', async (lack, reason) => {
    const { url } = await startServer(lack)
    const text = `the store at ${new URL(url).host} cannot be used: ${reason}`
    await expect(checkStore(url, 'logeye')).rejects.toThrow(text)
  })

  it('is taken as a server of a cluster that has what is needed', async () => {
    expect(await checkStore((await startServer({})).url, 'logeye')).toBe(true)
  })

  it.each([
    [999, 'Session expired'],
    [159, 'Timeout exceeded'],
    [241, 'Memory limit exceeded'],
  ])('is waited for when it says %i', async (code, text) => {
    const { url } = await startServer({ failure: { code, text } })
    expect(await checkStore(url, 'logeye')).toBe(false)
  })

  it('is waited for when nothing answers there', async () => {
    expect(await checkStore('http://127.0.0.1:1')).toBe(false)
  })
})
