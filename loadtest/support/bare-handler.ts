// The baseline of the single-event figure: a handler that reads the body and answers 200, nothing
// else, on the engine that the product would take. Prints its port.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { loadUws, type Uws } from '../../infra/http/uws/load.ts'

const ANSWER = '{"text":"Success","code":0}'

const uWS = process.env.LOGEYE_HTTP_ENGINE === 'node' ? undefined : await loadUws()
const port = await (uWS === undefined ? listenOnNode() : listenOnUws(uWS))
process.stdout.write(`${port}\n`)
process.on('disconnect', () => process.exit(0))

function listenOnUws(uws: Uws): Promise<number> {
  return new Promise((resolve) => {
    uws
      .App()
      .post('/*', (response) => {
        let isAborted = false
        response.onAborted(() => {
          isAborted = true
        })
        response.onData((_chunk, isLast) => {
          if (isLast && !isAborted) response.cork(() => response.end(ANSWER))
        })
      })
      .listen('127.0.0.1', 0, (socket) => {
        if (!socket) process.exit(1)
        resolve(uws.us_socket_local_port(socket))
      })
  })
}

async function listenOnNode(): Promise<number> {
  const server = createServer((request, response) => {
    request.on('data', () => undefined).on('end', () => response.end(ANSWER))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
