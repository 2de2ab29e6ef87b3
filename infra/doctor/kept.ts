// Whether what the product keeps is whole: the ledger of the store, the database, the event log.

import { damaged, isSqliteSound } from '../database/sqlite-check.ts'
import { checkEmbeddedEventLog, checkEventLogUrl } from '../event-log/open.ts'
import { lookAtPortal } from '../heartbeat/look-at-portal.ts'
import { readCheck } from '../metastore/ledger/store-damage.ts'
import { tellDamage } from '../metastore/ledger/tell-damage.ts'
import { isDataDirHeld } from '../supervisor/data-dir-lock.ts'
import { bad, type Examination, type Finding, ok, warn } from './check.ts'

/** What the writer's process found last: at its start, and every hour. */
export async function checkStoreLedger({
  metastore,
  mayNameLogs,
}: Examination): Promise<readonly Finding[]> {
  if (metastore === undefined) return []
  const check = await readCheck(metastore.database.read)
  const damage = await tellDamage(metastore, { withLogs: mayNameLogs })
  const at = check === undefined ? '' : ` (at ${new Date(check.checkedMs).toISOString()})`
  const advice = "see 'Damage of the store' in the operator's guide: restore it, or acceptDamage"
  if (damage !== undefined)
    return damage.items.map(({ message }) => ({ grade: 'bad', text: `${message}${at}`, advice }))
  if (check === undefined) return ok('not checked yet: the product has not run since this version')
  return ok(`${check.events} events received, none missing${at}`)
}

/** Whole, indexes too. */
export async function checkDatabase({
  config,
  metastore,
}: Examination): Promise<readonly Finding[]> {
  if (config.databaseUrl !== undefined) {
    await metastore?.refresh()
    return metastore === undefined ? [] : ok('answers; its own tools tell how sound it is')
  }
  if (isSqliteSound(config.dataDir, 'integrity')) return ok('is sound')
  return bad(
    damaged(config.dataDir).message,
    "stop the product and restore a backup; without one see adopt-data in the operator's guide",
  )
}

/** As a start does; a running product has it open. */
export async function checkEventLog({ config, clock }: Examination): Promise<readonly Finding[]> {
  const { dataDir, eventLogUrl, eventLog } = config
  if (eventLogUrl !== undefined) {
    await checkEventLogUrl(eventLogUrl.reveal())
    return ok('kept by brokers, whose own tools tell how it is')
  }
  if (isDataDirHeld(dataDir)) return ok('in use: it was looked at when the product started')
  await checkEmbeddedEventLog({ dataDir, clock, ...eventLog })
  return ok('is sound')
}

export function checkSecurity({ metastore }: Examination): readonly Finding[] {
  if (metastore === undefined) return []
  return metastore.setting('system.security')
    ? ok('is on')
    : bad(
        'is off: whoever reaches the port is an administrator',
        'settings -security true, unless nobody else reaches this machine',
      )
}

/** Nothing of it stops ingest or search. */
export async function checkPortal({ metastore, clock }: Examination): Promise<readonly Finding[]> {
  if (metastore === undefined) return []
  const { state, link, warnings } = await lookAtPortal(metastore, clock)
  if (warnings.length > 0) return warnings.flatMap(({ text, advice }) => warn(text, advice))
  switch (state) {
    case 'off':
      return ok('nothing is reported: no portal is set up')
    case 'waiting':
      return ok('no report was sent yet')
    case 'failing':
      return ok(`did not take the last report, it is tried again: ${link?.reason ?? ''}`)
    case 'reporting':
      return ok(`took the last report at ${new Date(link?.reached_ms ?? 0).toISOString()}`)
  }
}
