// 400 and the end of the connection, one turn later: uWS runs what stands behind a request in the
// same packet when that is answered at once, and closes the connection without running it when the
// request is still open.
import type { HttpResponse } from 'uWebSockets.js'
import type { AccessLine } from '../access-log.ts'
import type { OpenExchanges } from '../open-exchanges.ts'

export function refuse(res: HttpResponse, open: OpenExchanges, access?: AccessLine): void {
  let isGone = false
  const leave = (): void => {
    isGone = true
    open.end()
  }
  open.begin()
  res.onAborted(() => {
    if (isGone) return
    leave()
    access?.end(0, 0)
  })
  setImmediate(() => {
    if (isGone) return
    leave()
    access?.end(400, 0)
    res.cork(() => {
      res.writeStatus('400 Bad Request')
      res.end('', true)
    })
  })
}
