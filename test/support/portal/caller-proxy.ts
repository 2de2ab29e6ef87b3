// Stands before a portal as a proxy that it trusts, and gives every call the credential and the
// address of the next of several callers of one kind: each caller has a limit of calls of its own,
// which a program that makes thousands would only meet.
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CallerProxy = {
  readonly url: string
  readonly calls: () => number
  close(): Promise<void>
}

export async function startCallerProxy(
  portalUrl: string,
  tokens: readonly string[],
): Promise<CallerProxy> {
  const { hostname, port } = new URL(portalUrl)
  let calls = 0
  const server = createServer((asked, answer) => {
    calls += 1
    const token = tokens[calls % Math.max(1, tokens.length)]
    const headers = { ...asked.headers, 'x-forwarded-for': addressOf(calls) }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    const { method, url: path } = asked
    const passed = request({ hostname, port, method, path, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: urlOf(server), calls: () => calls, close: () => close(server) }
}

/** Another network for each. */
function addressOf(call: number): string {
  return `10.${(call >> 8) % 256}.${call % 256}.1`
}

function urlOf(server: Server): string {
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
