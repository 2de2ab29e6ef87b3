// How far the files and other sources of each log are read, of all logs that collect.
import type { DatabaseTransaction } from '../../database/port.ts'

export type CollectedProgress = {
  readonly files: number
  /** Not read to their end, or growing. */
  readonly openFiles: number
  readonly readBytes: number
  /** Of files that are not packed; of a packed one nobody knows. */
  readonly behindBytes: number
  readonly events: number
  /** Of the last piece that was read. */
  readonly changedMs: number
  /** The last that are not read on, and why. */
  readonly faults: readonly { readonly path: string; readonly reason: string }[]
}

const MAX_FAULTS = 5

/** By the id of the log. */
export async function readProgress(
  db: Pick<DatabaseTransaction, 'selectFrom'>,
): Promise<ReadonlyMap<number, CollectedProgress>> {
  const sums = await db
    .selectFrom('collected_files')
    .select((eb) => [
      'log_id',
      eb.fn.countAll<number>().as('files'),
      eb.fn.sum<number>(eb.case().when('state', '=', 'open').then(1).else(0).end()).as('open'),
      eb.fn.sum<number>('position').as('position'),
      eb.fn.sum<number>('events').as('events'),
      eb.fn.max<number>('changed_ms').as('changed_ms'),
      eb.fn
        .sum<number>(
          eb
            .case()
            .when(
              eb.and([
                eb('state', '=', 'open'),
                eb('is_packed', '=', 0),
                eb('size', '>', eb.ref('position')),
              ]),
            )
            .then(eb('size', '-', eb.ref('position')))
            .else(0)
            .end(),
        )
        .as('behind'),
    ])
    .groupBy('log_id')
    .execute()
  const faulty = await db
    .selectFrom('collected_files')
    .select(['log_id', 'path', 'fault'])
    .where('fault', '!=', '')
    .orderBy('changed_ms', 'desc')
    .orderBy('id')
    .execute()
  const progress = new Map<number, CollectedProgress>(
    sums.map((row) => [
      row.log_id,
      {
        ...{ files: Number(row.files), openFiles: Number(row.open) },
        ...{ readBytes: Number(row.position), behindBytes: Number(row.behind) },
        ...{ events: Number(row.events), changedMs: Number(row.changed_ms) },
        faults: faulty
          .filter(({ log_id }) => log_id === row.log_id)
          .slice(0, MAX_FAULTS)
          .map(({ path, fault }) => ({ path, reason: fault })),
      },
    ]),
  )
  for (const [logId, { events, changedMs }] of await readMarked(db)) {
    const known = progress.get(logId) ?? NOTHING
    progress.set(logId, {
      ...known,
      events: known.events + events,
      changedMs: Math.max(known.changedMs, changedMs),
    })
  }
  return progress
}

const NOTHING: CollectedProgress = {
  ...{ files: 0, openFiles: 0, readBytes: 0, behindBytes: 0 },
  ...{ events: 0, changedMs: 0, faults: [] },
}

/** Of sources that are no files. */
async function readMarked(db: Pick<DatabaseTransaction, 'selectFrom'>) {
  const rows = await db
    .selectFrom('collect_marks')
    .select((eb) => [
      'log_id',
      eb.fn.sum<number>('events').as('events'),
      eb.fn.max<number>('changed_ms').as('changed_ms'),
    ])
    .groupBy('log_id')
    .execute()
  return rows.map((row) => {
    const told = { events: Number(row.events), changedMs: Number(row.changed_ms) }
    return [row.log_id, told] as const
  })
}
