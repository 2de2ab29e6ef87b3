// The baseline of the single-event figure: a uWS handler that reads the body and answers 200, nothing else. Prints its port.
import * as uWS from 'uWebSockets.js'

const ANSWER = '{"text":"Success","code":0}'

uWS
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
    process.stdout.write(`${uWS.us_socket_local_port(socket)}\n`)
  })

process.on('disconnect', () => process.exit(0))
