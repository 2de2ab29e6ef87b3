// VictoriaLogs as the peer of the search benchmark: a binary the caller has built, on a directory
// and a loopback port of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from '../../../test/support/product/product.ts'
import { KeepAliveClient } from './keep-alive-client.ts'

const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 15_000
export const PEER_INSERT_PATH =
  '/insert/jsonline?_stream_fields=service&_time_field=timestamp&_msg_field=message'

export type Peer = {
  readonly port: number
  readonly pid: number
  /** The answer's lines. */
  query(query: string, parameters?: Readonly<Record<string, string>>): Promise<string[]>
  facets(query: string, fields: number): Promise<string>
  count(): Promise<number>
  stop(): Promise<void>
}

export async function startPeer(binary: string, dataDir: string): Promise<Peer> {
  const port = await findFreePort()
  const child = spawn(
    binary,
    [
      `-storageDataPath=${dataDir}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      // Its default of seven days would drop what is kept between runs.
      '-retentionPeriod=10y',
      '-loggerLevel=ERROR',
      // It closes connections after two minutes; loading takes longer on a slow machine.
      '-http.connTimeout=1h',
    ],
    { stdio: 'ignore' },
  )
  const client = new KeepAliveClient(port)
  const pid = child.pid
  if (pid === undefined) throw new Error('the peer could not be spawned')
  await waitUntilHealthy(child, client)
  const ask = async (path: string, parameters: Readonly<Record<string, string>>) => {
    const { status, text } = await client.post(path, new URLSearchParams(parameters).toString())
    if (status !== 200) throw new Error(`the peer answers ${status}: ${text.slice(0, 200)}`)
    return text
  }
  const query = async (text: string, parameters: Readonly<Record<string, string>> = {}) => {
    const answer = await ask('/select/logsql/query', { query: text, ...parameters })
    return answer.split('\n').filter((line) => line !== '')
  }
  return {
    port,
    pid,
    query,
    facets: (text, limit) => ask('/select/logsql/facets', { query: text, limit: String(limit) }),
    count: async () => {
      const [line = '{}'] = await query('* | stats count() rows')
      return Number(/"rows":"(\d+)"/.exec(line)?.[1] ?? 0)
    },
    stop: async () => {
      client.close()
      await stop(child)
    },
  }
}

async function waitUntilHealthy(child: ChildProcess, client: KeepAliveClient): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the peer ended with ${child.exitCode}`)
    const answer = await client.post('/health', '').catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error('the peer was not ready in time')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(limit)
}
