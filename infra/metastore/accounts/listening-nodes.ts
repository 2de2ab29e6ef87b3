// The nodes that take events, so that an account can be bound to one of them (Listening Node,
// decision 8.5): each says now and then that it is there. Coarse on purpose: clocks of machines may
// differ by minutes, and a node that is started anew is still one.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'
import { describeError, type Logger } from '../../logger.ts'

const EVERY_MS = 60_000
/** A node that said nothing for so long is none any more. */
const KEPT_MS = 60 * 60_000

const PROPERTY = { kind: 'account', property: 'listeningNode' } as const

type Around = { readonly clock: Clock; readonly logger: Logger }

/** Resolves when it was said for the first time, or could not be; the result ends it. */
export async function announceListeningNode(
  database: Database,
  name: string,
  around: Around,
): Promise<() => Promise<void>> {
  const ending = new AbortController()
  await announceOnce(database, name, around)
  const repeat = async () => {
    for (;;) {
      await around.clock.sleep(EVERY_MS, ending.signal)
      if (ending.signal.aborted) return
      await announceOnce(database, name, around)
    }
  }
  const ended = repeat()
  return () => {
    ending.abort()
    return ended
  }
}

async function announceOnce(database: Database, name: string, around: Around): Promise<void> {
  try {
    const seen_ms = around.clock.nowMs()
    await database.write(async (transaction) => {
      await transaction
        .insertInto('listening_nodes')
        .values({ name, seen_ms })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ seen_ms }))
        .execute()
    })
  } catch (error) {
    around.logger.warn('listening node not announced', describeError(error))
  }
}

/** Gives the name as the node spells it. Fails with object.invalid where there is one node, or none
 *  of this name. */
export async function requireListeningNode(
  transaction: Transaction<Tables>,
  name: string,
  nowMs: number,
): Promise<string> {
  const rows = await transaction.selectFrom('listening_nodes').select(['name', 'seen_ms']).execute()
  const names = rows
    .filter((row) => Number(row.seen_ms) > nowMs - KEPT_MS)
    .map((row) => row.name)
    .sort()
  const refuse = (reason: string) =>
    new Failure('object.invalid', { ...PROPERTY, value: name, reason })
  if (names.length < 2)
    throw refuse('this system has one listening node, which receives everything')
  const found = names.find((it) => it.toLowerCase() === name.toLowerCase())
  if (found === undefined)
    throw refuse(`there is no listening node ${name}; there are ${names.join(', ')}`)
  return found
}
