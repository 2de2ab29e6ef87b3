// Two lengths or two hosts are what request smuggling is made of: uWS takes the first, a proxy
// ahead of us perhaps the last (RFC 9112, 6.3).
import type { HttpRequest } from 'uWebSockets.js'

/** The request is to be refused: its framing or its host can be read in two ways. To be called in
 *  the first turn. */
export function isAmbiguous(req: HttpRequest): boolean {
  let lengths = 0
  let hosts = 0
  let codings = 0
  let isOtherCoding = false
  req.forEach((name, value) => {
    if (name === 'host') hosts += 1
    else if (name === 'content-length') lengths += 1
    else if (name === 'transfer-encoding') {
      codings += 1
      isOtherCoding = value.toLowerCase() !== 'chunked'
    }
  })
  return hosts > 1 || lengths > 1 || codings > 1 || isOtherCoding || codings + lengths > 1
}
