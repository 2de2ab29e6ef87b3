// Is what answers at LOGEYE_STORE_URL a store that we can use? Asked once at start. One that is away is no reason not to start: events
// wait for it in the event log.
import { Failure, isFailure } from '../../schemas/failures.ts'
import { clickHouseCode } from './errors.ts'
import { openStore } from './open.ts'

/** The oldest whose tables can be made: text indexes and JSON columns as we use them. */
const OLDEST = [25, 12] as const
const ANSWER_MS = 3000

const REASONS: Readonly<Record<number, string>> = {
  81: 'it has no database of this name',
  192: 'it does not know the user',
  193: 'user or password is wrong',
  194: 'it asks for a password',
  497: 'the user lacks rights',
  516: 'user or password is wrong',
}

/** False when it does not answer yet. Fails with start.refused. */
export async function checkStore(url: string): Promise<boolean> {
  const store = await openStore({ url })
  try {
    const sql = 'SELECT version() AS version'
    const rows = await store.query<{ version: string }>({ sql, timeoutMs: ANSWER_MS })
    const version = rows[0]?.version ?? ''
    const [year = 0, month = 0] = version.split('.').map(Number)
    if (year < OLDEST[0] || (year === OLDEST[0] && month < OLDEST[1]))
      throw refused(
        url,
        `it is ClickHouse ${version}, ${OLDEST.join('.')} is the oldest that will do`,
      )
    return true
  } catch (error) {
    if (!isFailure(error) || error.code === 'start.refused') throw error
    const code = clickHouseCode(error.cause)
    const reason = code === undefined ? undefined : REASONS[code]
    if (reason !== undefined) throw refused(url, reason)
    if (error.code === 'store.failed')
      throw refused(url, 'what answers there is no ClickHouse server')
    return false
  } finally {
    await store.close()
  }
}

/** Host and port alone: user and password stand in the address, too. */
function refused(url: string, reason: string): Failure {
  return new Failure('start.refused', {
    reason: `the store at ${new URL(url).host} cannot be used: ${reason}`,
  })
}
