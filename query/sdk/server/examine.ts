// What `doctor` finds for a caller: the checks of this process, and what only the store can tell.
import type { Clock } from '../../../infra/clock.ts'
import { type NamedFinding, ok, warn } from '../../../infra/doctor/check.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import { readVisibleLogs } from '../../configuration/select-nodes.ts'
import { findSilentLogs } from '../../statistics/silent-logs.ts'

/** The user sees the names of those logs alone that are his to view. */
export type Examine = (userId: number) => Promise<readonly NamedFinding[]>

const MAX_NAMED = 20
const LIMIT_MS = 10_000

export function makeExamine(deps: {
  readonly checkProduct: () => Promise<readonly NamedFinding[]>
  readonly metastore: OpenedMetastore
  readonly store: Pick<Store, 'query'>
  readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>
}): Examine {
  const { checkProduct, metastore, store, clock } = deps

  async function checkSilence(userId: number): Promise<readonly NamedFinding[]> {
    const logs = await readVisibleLogs(metastore, userId)
    const queryId = `doctor-${clock.randomBytes(16).toString('hex')}`
    const silent = await findSilentLogs(
      (statement) => store.query({ ...statement, queryId, timeoutMs: LIMIT_MS }),
      logs,
      clock.nowMs(),
    )
    const findings = silent
      .slice(0, MAX_NAMED)
      .flatMap(({ log, lastMs, longestPauseMs }) =>
        warn(
          `${log} has received nothing since ${new Date(lastMs).toISOString()}; its longest pause in the days before was ${Math.round(longestPauseMs / 60_000)} minutes`,
          'see whether its sender runs, and what answer it gets',
        ),
      )
    const more = silent.length - findings.length
    const all = [
      ...findings,
      ...(more > 0 ? warn(`${more} more logs fell silent`, 'mend the first ones') : []),
      ...(silent.length === 0 ? ok('no log fell silent') : []),
    ]
    return all.map((one) => ({ check: 'silent logs', ...one }))
  }

  return async (userId) => [...(await checkProduct()), ...(await checkSilence(userId).catch(tell))]
}

/** The store may be what is wrong. */
function tell(): readonly NamedFinding[] {
  const text = 'the store does not tell when its logs received events'
  return [{ check: 'silent logs', grade: 'bad', text }]
}

/** Where nobody handed any check over. */
export const refuseExamine: Examine = () => {
  throw new Failure('request.invalid', { reason: 'this process checks nothing' })
}
