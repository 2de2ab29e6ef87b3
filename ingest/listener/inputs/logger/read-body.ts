import { Scanner } from '../../scan/scan.ts'
import { endLastLine, LineScanner } from '../../scan/scan-lines.ts'
import type { ReadBody } from '../input.ts'

export const readJson: ReadBody = (body, limits) => ({ body, scanner: new Scanner(body, limits) })

/** `Content-Type: text/plain`: each line is an event. */
export const readLines: ReadBody = (received, limits) => {
  const body = endLastLine(received)
  return { body, scanner: new LineScanner(body, limits) }
}
