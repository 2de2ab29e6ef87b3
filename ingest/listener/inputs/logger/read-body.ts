import { eventCutter } from '../../scan/event-cutters.ts'
import { Scanner } from '../../scan/scan.ts'
import { EventScanner } from '../../scan/scan-events.ts'
import { endLastLine, LineScanner, scanWhole } from '../../scan/scan-lines.ts'
import type { ReadBody } from '../input.ts'

export const readJson: ReadBody = (body, limits) => ({ body, scanner: new Scanner(body, limits) })

/** `Content-Type: text/plain`: each line is an event, or begins one of several lines. */
export const readLines: ReadBody = (received, limits, account) => {
  const body = endLastLine(received)
  const cutter = account === undefined ? undefined : eventCutter(account)
  const scanner =
    cutter === undefined ? new LineScanner(body, limits) : new EventScanner(body, limits, cutter)
  return { body, scanner }
}

/** What was one event of lines. */
export const readEvent: ReadBody = (received, limits) => {
  const body = endLastLine(received)
  return { body, scanner: { run: () => true, result: () => scanWhole(body, limits) } }
}
