// The operator's file of places, read once at the start (docs/decisions/0038): a new file counts
// from the next start on.
import { readFileSync } from 'node:fs'
import { describeError, type Logger } from '../../infra/logger.ts'
import { type Locate, makeLocator } from '../split/template/locator.ts'

/** undefined: no file is named, or it cannot be read. Then addresses have no places; events do not
 *  wait for them. */
export function openLocator(file: string | undefined, logger: Logger): Locate | undefined {
  if (file === undefined) return undefined
  try {
    return makeLocator(readFileSync(file))
  } catch (error) {
    logger.error('file of places not read, geoip columns have no place', {
      setting: 'LOGEYE_GEOIP_FILE',
      ...describeError(error),
    })
    return undefined
  }
}
