// Folders and logs of one process: read from memory, made in the database.
import { Failure } from '../../../schemas/failures.ts'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import { Cached } from '../cached.ts'
import { wellFormed } from '../well-formed.ts'
import { insertLogs } from './add-logs.ts'
import { insertTypeWords } from './log-type-words.ts'
import type { LogRecord, LogTree, NewLog, NewTypeWords, Tree } from './port.ts'
import { EMPTY_TREE, loadTree } from './tree-cache.ts'

/** What is made may be removed again by another process before it is read. */
const MAX_TRIES = 10

type Options = {
  readonly database: Database
  readonly clock: Pick<Clock, 'nowMs'>
  /** Brings memory up to the database. */
  readonly look: () => Promise<void>
}

export class CachedTree
  implements Pick<LogTree, 'tree' | 'addLogs' | 'addTypeWords' | 'countLogs'>
{
  readonly cached = new Cached('tree', EMPTY_TREE, loadTree)
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async tree(): Promise<Tree> {
    await this.#options.look()
    return this.cached.value
  }

  async addLogs(logs: readonly NewLog[]): Promise<readonly LogRecord[]> {
    const { database, clock } = this.#options
    const wanted = logs.map(wellFormedLog)
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const found = findLogs(await this.tree(), wanted)
      if (found !== undefined) return found
      await database.write(async (transaction) => {
        await this.cached.refresh(transaction)
        await insertLogs(transaction, this.cached.value, wanted, clock.nowMs())
      })
    }
    throw new Failure('database.unavailable')
  }

  async addTypeWords(found: readonly NewTypeWords[]): Promise<void> {
    if (found.length === 0) return
    await this.#options.database.write((transaction) => insertTypeWords(transaction, found))
  }

  async countLogs(
    accountId: number,
    receivedHour: number,
  ): Promise<{ total: number; inHour: number }> {
    const row = await this.#options.database.read
      .selectFrom('logs')
      .select(({ fn }) => [
        fn.countAll<number>().as('total'),
        fn.countAll<number>().filterWhere('received_hour', '=', receivedHour).as('in_hour'),
      ])
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    return { total: Number(row.total), inHour: Number(row.in_hour) }
  }
}

function wellFormedLog(log: NewLog): NewLog {
  return { ...log, folder: log.folder.map(wellFormed), name: wellFormed(log.name) }
}

/** All of them in the order asked, or undefined when one is missing. */
function findLogs(tree: Tree, logs: readonly NewLog[]): LogRecord[] | undefined {
  const found: LogRecord[] = []
  for (const log of logs) {
    const record = tree.logsByPath.get(logPathKey(log.folder, log.name))
    if (record === undefined) return undefined
    found.push(record)
  }
  return found
}
