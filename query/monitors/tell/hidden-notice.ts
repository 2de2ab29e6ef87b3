// What a target is told of an alert whose rows the owner of its monitor may not see any more: that
// there is one, and nothing that the rows contain. Rights are checked as the message leaves, which
// may be a day after it was made.

import { readSeenOf } from '../../../infra/metastore/monitors/alerts.ts'
import { readGathered } from '../../../infra/metastore/monitors/gathered-messages.ts'
import { maySee, readSight, type Sight } from '../../../infra/metastore/rights/may-see.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import { type AlertNotice, alertNotice } from '../../../schemas/monitors/notice.ts'
import { readSeen } from '../../../schemas/monitors/seen.ts'
import { ANONYMOUS_USER } from '../../../schemas/users.ts'
import { makeDigest } from './make-digest.ts'

const WHY = 'Its rows are left out: the owner of the monitor may not see all of them any more.'

type Message = { readonly id: number; readonly alertId: number; readonly notice: AlertNotice }
type Context = Pick<JobContext, 'database' | 'metastore'>

/** The notice as it may leave now. */
export async function noticeOfNow(message: Message, context: Context): Promise<AlertNotice> {
  const { id, alertId, notice } = message
  if (notice.event === 'test') return notice
  if (notice.event !== 'digest')
    return (await mayOwnerSee(alertId, context)) ? notice : hiddenNotice(notice)
  const gathered = await readGathered(context.database, id)
  let isChanged = false
  const told: { alertId: number; notice: AlertNotice }[] = []
  for (const row of gathered) {
    const one = alertNotice.parse(JSON.parse(row.notice))
    const isShown = await mayOwnerSee(row.alertId, context)
    isChanged ||= !isShown
    told.push({ alertId: row.alertId, notice: isShown ? one : hiddenNotice(one) })
  }
  return isChanged ? makeDigest(told, notice.atMs, notice.link) : notice
}

/** False of an alert, a monitor or an owner that is no more. */
async function mayOwnerSee(alertId: number, { database, metastore }: Context): Promise<boolean> {
  const found = await readSeenOf(database.read, alertId)
  const sight = found && (await sightOf(found.ownerId, metastore))
  return found !== undefined && sight !== undefined && maySee(readSeen(found.seen), sight)
}

async function sightOf(
  ownerId: number,
  metastore: JobContext['metastore'],
): Promise<Sight | undefined> {
  await metastore.refresh()
  const owner = ownerId === ANONYMOUS_USER.id ? ANONYMOUS_USER : metastore.users.byId(ownerId)
  return owner?.isEnabled === true ? await readSight(metastore, owner) : undefined
}

function hiddenNotice(notice: AlertNotice): AlertNotice {
  const { event, monitor, severity, link, picture: _, ...rest } = notice
  return {
    ...rest,
    ...{ event, monitor, severity, link, count: 0, sample: { columns: [], rows: [] } },
    group: '',
    subject: `[${severity}] ${monitor}: ${event}`,
    text: `${monitor}: ${event}\n\n${WHY}\n\n${link}\n`,
  }
}
