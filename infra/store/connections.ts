// The connections to the store. Node's agent ends those that nobody uses, and the client none: its
// own timers end one that is in use again (docs/decisions/0134).
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

const MAX_CONNECTIONS = 64
/** Below the 3 s after which the oldest servers end an idle connection. */
const IDLE_MS = 2500

export const KEEP_ALIVE = { enabled: true, idle_socket_ttl: 0 } as const

export function makeAgent(url: string): HttpAgent {
  const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS, timeout: IDLE_MS }
  return url.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options)
}
