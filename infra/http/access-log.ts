// One line a request at level debug: no query string, no header, no body. Above debug there is no
// AccessLog, so nothing is built.
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'

const MAX_PATH_CHARACTERS = 200
/** The file of a result is opened by whoever knows its name: a name that long is not shown. */
const LONG_NAME = /[^/]{25,}/g
/** A webhook's secret is base64, which may have slashes: nothing behind its beginning is shown. */
const WEBHOOK_SECRET = /whsec(?:_|%5f).*/i

export class AccessLine {
  receivedBytes = 0
  readonly #write: (line: AccessLine, status: number, sentBytes: number) => void

  constructor(write: (line: AccessLine, status: number, sentBytes: number) => void) {
    this.#write = write
  }

  /** Once, by whoever ends the exchange. Status 0: the client went before its answer. */
  end(status: number, sentBytes: number): void {
    this.#write(this, status, sentBytes)
  }
}

export type AccessLog = (request: { method: string; path: string; peer: string }) => AccessLine

/** undefined when the level hides it. */
export function makeAccessLog(logger: Logger, clock: Clock): AccessLog | undefined {
  if (!logger.isEnabled('debug')) return undefined
  return ({ method, path, peer }) => {
    const beginMs = clock.elapsedMs()
    return new AccessLine(({ receivedBytes }, status, sentBytes) => {
      const ms = Math.round((clock.elapsedMs() - beginMs) * 10) / 10
      const shown = showPath(path)
      const outcome = status === 0 ? { aborted: true } : { status }
      logger.debug('request', {
        method,
        path: shown,
        ...outcome,
        receivedBytes,
        sentBytes,
        ms,
        peer,
      })
    })
  }
}

function showPath(path: string): string {
  return path
    .replace(WEBHOOK_SECRET, '***')
    .replace(LONG_NAME, (name) => `${name.slice(0, 4)}...`)
    .slice(0, MAX_PATH_CHARACTERS)
}
