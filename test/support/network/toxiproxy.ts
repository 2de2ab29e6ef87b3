// A real toxiproxy server on a free port: links between two parts that can be cut, delayed, frozen
// and made to lose what passes. From the program that LOGEYE_TEST_TOXIPROXY names
// (infra/scripts/get-toxiproxy.sh). It ends with the process that started it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { findFreePort } from '../../../infra/supervisor/free-port.ts'
import { guardProcess, hasEnded } from '../machine/guard-process.ts'
import { type Missing, missing } from '../run/missing.ts'
import { testClock } from '../run/test-clock.ts'
import { waitUntil } from '../run/wait-until.ts'

const ANSWER_MS = 5000

/** `up`: what the one who connected sends; `down`: what it is answered. */
export type Direction = 'up' | 'down'

export type Toxic =
  /** Each piece comes so many milliseconds later. */
  | { readonly type: 'latency'; readonly latency: number; readonly jitter?: number }
  /** Nothing passes, and after `timeout` ms the connection is closed; 0: it stays open, half. */
  | { readonly type: 'timeout'; readonly timeout: number }
  /** After `timeout` ms the connection is reset, without what has not passed yet. */
  | { readonly type: 'reset_peer'; readonly timeout: number }
  /** The connection is closed when so many bytes have passed. */
  | { readonly type: 'limit_data'; readonly bytes: number }
  /** Who closes it is believed only after `delay` ms. */
  | { readonly type: 'slow_close'; readonly delay: number }
  /** KB a second. */
  | { readonly type: 'bandwidth'; readonly rate: number }

export type ToxicLink = {
  readonly name: string
  /** Where to connect, at 127.0.0.1. */
  readonly port: number
  add(toxic: Toxic, direction: Direction): Promise<void>
  /** Refuses new connections and cuts off the open ones. */
  shut(): Promise<void>
  /** As at the beginning. Who was held up is cut off. */
  heal(): Promise<void>
}

export type Toxiproxy = {
  link(name: string, targetPort: number): Promise<ToxicLink>
  healAll(): Promise<void>
  stop(): Promise<void>
}

/** undefined: the program is not here. In CI it must be. */
export function toxiproxyProgram(): string | undefined {
  return process.env.LOGEYE_TEST_TOXIPROXY
}

export const toxiproxyMissing = (): Missing =>
  missing(() => toxiproxyProgram() !== undefined, 'toxiproxy (LOGEYE_TEST_TOXIPROXY)')

const proxySchema = z.object({
  enabled: z.boolean(),
  toxics: z.array(z.object({ name: z.string(), type: z.string() })),
})

export async function startToxiproxy(program = toxiproxyProgram()): Promise<Toxiproxy> {
  if (program === undefined) throw new Error('LOGEYE_TEST_TOXIPROXY is not set')
  const port = await findFreePort(testClock)
  const child = spawn(program, ['-host', '127.0.0.1', '-port', String(port)], { stdio: 'ignore' })
  child.on('error', () => undefined)
  guardProcess(child, 'KILL')
  const api = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`toxiproxy refuses ${method} ${path}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  let refusal: unknown
  const isAnswering = async () => {
    if (hasEnded(child) || child.pid === undefined)
      throw new Error('toxiproxy does not start', { cause: refusal })
    return await api('GET', '/proxies').then(
      () => true,
      (error: unknown) => {
        refusal = error
        return false
      },
    )
  }
  await waitUntil('toxiproxy answers', isAnswering, () => String(refusal))
  const links: ToxicLink[] = []
  return {
    link: async (name, targetPort) => {
      const linkPort = await findFreePort(testClock)
      const upstream = `127.0.0.1:${targetPort}`
      const make = () =>
        api('POST', '/proxies', { name, listen: `127.0.0.1:${linkPort}`, upstream, enabled: true })
      const path = `/proxies/${name}`
      await make()
      const hasRemoved = async (paths: readonly string[]) => {
        try {
          for (const toxic of paths) await api('DELETE', toxic)
          return true
        } catch {
          return false
        }
      }
      const link: ToxicLink = {
        name,
        port: linkPort,
        add: async ({ type, ...attributes }, direction) => {
          const stream = direction === 'up' ? 'upstream' : 'downstream'
          await api('POST', `${path}/toxics`, { type, stream, attributes })
        },
        shut: async () => void (await api('POST', path, { enabled: false })),
        heal: async () => {
          const { toxics, enabled } = proxySchema.parse(await api('GET', path))
          const isDelayed = enabled && toxics.every(({ type }) => type === 'latency')
          const removals = toxics.map(({ name: toxic }) => `${path}/toxics/${toxic}`)
          if (isDelayed && (await hasRemoved(removals))) return
          // Made anew: to remove a toxic the program waits for what that holds up, for ever when a
          // caller has gone.
          await api('DELETE', path)
          await make()
        },
      }
      links.push(link)
      return link
    },
    healAll: async () => {
      for (const link of links) await link.heal()
    },
    stop: async () => {
      if (hasEnded(child)) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
