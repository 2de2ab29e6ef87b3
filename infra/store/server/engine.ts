// The embedded engine (chdb): one directory, several sessions that share it. A session runs one
// statement at a time, on a libuv thread: UV_THREADPOOL_SIZE must be at least THREADS when the
// process starts.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drainPending, Session } from 'chdb'
import { Lane } from './lane.ts'
import { unpackedBytes } from './request/settings.ts'
import { makePipe } from './result-pipe.ts'
import { FAILED_WRITES_SQL } from './write-watch.ts'

const READERS = 6
const INSERTERS = 2
const COMMANDERS = 1
/** Killers 1, watches 2, files and directory syncs 2. */
export const THREADS = READERS + INSERTERS + COMMANDERS + 5
const MAX_WAITING = 256
const MIB = 1024 * 1024
/** What cannot be an argument. */
export const OWN_CONFIG_FILE = fileURLToPath(new URL('./engine.xml', import.meta.url))

export type EngineSession = {
  /** Position among the readers; the slot of the crash journal. */
  readonly slot: number
  /** '' for sessions whose answers are small. */
  readonly pipePath: string
  /** The whole answer. Fails with the engine's error (engine-error.ts). */
  run(sql: string): Promise<Uint8Array>
}

/** The whole answer. On a session of its own, one statement after the other, each begun after its
 *  call. */
export type Asker = (sql: string) => Promise<Uint8Array>

export type Engine = {
  /** Statements with rows; one is kept for urgent ones (setting priority = 1). */
  readonly readers: Lane<EngineSession>
  readonly readerCount: number
  readonly inserters: Lane<EngineSession>
  readonly commanders: Lane<EngineSession>
  /** For KILL QUERY only, so that it never waits. */
  readonly killer: Asker
  /** For the watch over parts. */
  readonly askParts: Asker
  /** Writes that failed since the engine was opened (write-watch.ts). */
  countFailedWrites(): Promise<number>
  close(): Promise<void>
}

/** Fails when another process holds the directory (the engine's own lock, `<directory>/status`).
 *  `pipesDirectory` is ours and empty. */
export function openEngine(options: {
  directory: string
  pipesDirectory: string
  maxMemoryBytes: number
  configFile?: string | undefined
}): Engine {
  const { configFile } = options
  const connectionArgs = [
    ...engineArguments(options.maxMemoryBytes),
    `--config-file=${configFile ?? OWN_CONFIG_FILE}`,
  ]
  const sessions: Session[] = []
  const open = (slot: number, pipePath: string): EngineSession => {
    const session = new Session(options.directory, { connectionArgs })
    sessions.push(session)
    const run = async (sql: string) => {
      try {
        return (await session.queryAsync(sql)).bytes()
      } catch (error) {
        // A failed statement stays in system.processes, with what it holds, until its session runs
        // the next one (chdb 3.4.0).
        await session.queryAsync('SELECT 1 FORMAT Null').catch(() => undefined)
        throw error
      }
    }
    return { slot, pipePath, run }
  }
  const openAsker = (): Asker => {
    const session = open(-1, '')
    let last: Promise<unknown> = Promise.resolve()
    return (sql) => {
      const answer = last.then(() => session.run(sql))
      last = answer.catch(() => undefined)
      return answer
    }
  }
  const askWrites = openAsker()
  // A full disk does not take the line that tells who holds the directory, either: what counts
  // comes later.
  const atStart = Number(sessions[0]?.query(FAILED_WRITES_SQL))
  const several = (count: number) => Array.from({ length: count }, () => open(-1, ''))
  const pipes = Array.from({ length: READERS }, (_, i) => join(options.pipesDirectory, `${i}`))
  for (const path of pipes) {
    rmSync(path, { force: true })
    makePipe(path)
  }
  const lane = (items: EngineSession[], reserved: number) =>
    new Lane(items, { reserved, maxWaiting: MAX_WAITING })
  return {
    readers: lane(
      pipes.map((path, slot) => open(slot, path)),
      1,
    ),
    readerCount: READERS,
    inserters: lane(several(INSERTERS), 0),
    commanders: lane(several(COMMANDERS), 0),
    killer: openAsker(),
    askParts: openAsker(),
    countFailedWrites: async () =>
      Number(Buffer.from(await askWrites(FAILED_WRITES_SQL))) - atStart,
    close: async () => {
      await drainPending()
      for (const session of sessions) session.close()
    },
  }
}

// Caches of the server default to gigabytes; the log tables of the engine stay off in the embedded
// form.
function engineArguments(maxMemoryBytes: number): string[] {
  const values: Record<string, number> = {
    max_server_memory_usage: maxMemoryBytes,
    mark_cache_size: 128 * MIB,
    index_mark_cache_size: 32 * MIB,
    primary_index_cache_size: 32 * MIB,
    uncompressed_cache_size: unpackedBytes(maxMemoryBytes),
    index_uncompressed_cache_size: 0,
    text_index_dictionary_block_cache_size: 16 * MIB,
    text_index_header_cache_size: 16 * MIB,
    text_index_postings_cache_size: 32 * MIB,
    vector_similarity_index_cache_size: 0,
    query_condition_cache_size: 8 * MIB,
    compiled_expression_cache_size: 16 * MIB,
    mmap_cache_size: 0,
    async_insert: 0,
    log_queries: 0,
    // Parameters stand in the text: 40,000 characters each, and lists of columns and logs.
    max_query_size: 64 * MIB,
    // Each stage of a search is a sub-select or some.
    max_parser_depth: 10_000,
  }
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`)
}
