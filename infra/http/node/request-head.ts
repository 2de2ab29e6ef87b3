// What a request line and its headers say, and whether they can be read in one way only (RFC 9112).
// Node's parser has refused what it sees itself: two lengths, a length beside a transfer coding,
// folded lines, control characters.
import type { IncomingMessage } from 'node:http'

export type Target = { readonly path: string; readonly query: string; readonly authority: string }

/** The request is to be answered 400: two hosts or none, or a transfer coding that is not the one
 *  we read. */
export function isFaulty(req: IncomingMessage): boolean {
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = req
  if (httpVersionMajor !== 1) return true
  let hosts = 0
  let codings = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      codings += 1
      if (rawHeaders[at + 1]?.toLowerCase() !== 'chunked') return true
    }
  }
  if (codings > 1 || hosts > 1) return true
  return httpVersionMinor === 0 ? codings > 0 : hosts === 0
}

/** undefined: neither a path nor an absolute address. `authority` is '' unless the address names
 *  one. */
export function readTarget(url: string): Target | undefined {
  if (url.startsWith('/')) return splitQuery(url, '')
  const absolute = /^https?:\/\/([^/?#\s]+)(.*)$/is.exec(url)
  if (absolute === null) return undefined
  const [, authority = '', rest = ''] = absolute
  return splitQuery(rest.startsWith('/') ? rest : `/${rest}`, authority)
}

function splitQuery(text: string, authority: string): Target {
  const at = text.indexOf('?')
  if (at < 0) return { path: text, query: '', authority }
  return { path: text.slice(0, at), query: text.slice(at + 1), authority }
}
