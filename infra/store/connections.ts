// The connections to the store. The agent ends those that nobody uses, and the client none: its own
// timers end one that is in use again (docs/decisions/0134).
import { type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

const MAX_CONNECTIONS = 64
/** Below the 3 s after which the oldest servers end an idle connection. */
const IDLE_MS = 2500
const OPTIONS: AgentOptions = { keepAlive: true, maxSockets: MAX_CONNECTIONS }

export const KEEP_ALIVE = { enabled: true, idle_socket_ttl: 0 } as const

export function makeAgent(url: string): HttpAgent {
  const isTls = new URL(url).protocol === 'https:'
  return endingIdle(isTls ? new HttpsAgent(OPTIONS) : new HttpAgent(OPTIONS))
}

/** By the two hooks of an agent. Its option `timeout` is a timer of the connection itself, which
 *  the client takes off behind a call that was refused. */
function endingIdle(agent: HttpAgent): HttpAgent {
  const ends = new WeakMap<object, NodeJS.Timeout>()
  const keep = agent.keepSocketAlive.bind(agent)
  const reuse = agent.reuseSocket.bind(agent)
  agent.keepSocketAlive = (socket) => {
    ends.set(socket, setTimeout(() => socket.destroy(), IDLE_MS).unref())
    return keep(socket)
  }
  agent.reuseSocket = (socket, request) => {
    clearTimeout(ends.get(socket))
    reuse(socket, request)
  }
  return agent
}
