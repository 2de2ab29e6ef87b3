// Settings of a statement: what the request asks for, inside our fences. The engine refuses unknown
// names itself (115).
import { SPILL_LIMITS, spillSettings } from '../../../../schemas/store/spill.ts'
import { INSERT_SETTINGS } from '../../insert-settings.ts'
import { EngineError } from '../engine-error.ts'
import type { Settings } from './statement.ts'

export type Fences = {
  readonly maxQueryMemoryBytes: number
  /** Size of the cache of unpacked blocks. */
  readonly unpackedBytes: number
  /** Free on the disk: below it nothing is inserted. */
  readonly keptFreeBytes: number
}

const DEFAULT_TIMEOUT_S = 60
const MAX_TIMEOUT_S = 3600
/** What the writer's largest batch needs, with room: a lower limit for searches must not stop the
 *  inserts. */
const INSERT_MEMORY_BYTES = 400_000_000

const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

/** How much the engine keeps of blocks of columns that searches have read, of all the memory that
 *  it may take. */
export function unpackedBytes(maxMemoryBytes: number): number {
  return Math.min(MAX_UNPACKED_BYTES, Math.floor(maxMemoryBytes / 4))
}

/** Names of the HTTP interface, not of the engine; or set by us alone. */
const NOT_FOR_THE_ENGINE = new Set([
  'query',
  'query_id',
  'database',
  'user',
  'password',
  'default_format',
  'wait_end_of_query',
  'buffer_size',
  'enable_http_compression',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'cancel_http_readonly_queries_on_client_close',
  'log_comment',
])

/** Differ between server and embedded engine, or between its releases: what is relied on is
 *  said. */
const ENGINE_DEFAULTS = {
  max_threads: 2,
  // By default each thread must find a gigabyte free, which is more than the engine may take here:
  // every search had one thread.
  max_threads_min_free_memory_per_thread: 0,
  log_queries: 0,
  output_format_parallel_formatting: 0,
} as const

export function readSettings(asked: ReadonlyMap<string, string>): Map<string, string | number> {
  const settings = new Map<string, string | number>()
  for (const [name, value] of asked) {
    if (NOT_FOR_THE_ENGINE.has(name) || name.startsWith('param_')) continue
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      throw new EngineError(115, 'Unknown setting', 'UNKNOWN_SETTING')
    const isNumber = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,9})?$/.test(value)
    settings.set(name, isNumber ? Number(value) : value)
  }
  return settings
}

/** Seconds the whole request may take, waiting included. */
export function timeoutSeconds(asked: Settings): number {
  const seconds = Number(asked.get('max_execution_time') ?? DEFAULT_TIMEOUT_S)
  return seconds > 0 && seconds < MAX_TIMEOUT_S ? seconds : MAX_TIMEOUT_S
}

/** `comment` finds the query in system.processes, where the engine gives it an id of its own. */
export function fenceSettings(
  asked: Settings,
  fences: Fences,
  run: { readonly isInsert: boolean; readonly comment: string; readonly timeoutS: number },
): Settings {
  const { maxQueryMemoryBytes } = fences
  const maxMemoryBytes = run.isInsert
    ? Math.max(maxQueryMemoryBytes, INSERT_MEMORY_BYTES)
    : maxQueryMemoryBytes
  const askedMemory = Number(asked.get('max_memory_usage') ?? 0)
  const memory = askedMemory > 0 && askedMemory < maxMemoryBytes ? askedMemory : maxMemoryBytes
  // What a search puts into the cache counts as its own memory: it must not be short of it for
  // that. A low limit stays one.
  const isKept = Number(asked.get('use_uncompressed_cache') ?? 0) === 1
  const kept = isKept ? Math.min(fences.unpackedBytes, memory) : 0
  return new Map<string, string | number>([
    ...Object.entries(ENGINE_DEFAULTS),
    ...Object.entries(run.isInsert ? INSERT_SETTINGS : {}).map(toNumber),
    ...(run.isInsert
      ? ([['min_free_disk_bytes_to_perform_insert', fences.keptFreeBytes]] as const)
      : []),
    ...Object.entries(spillSettings(maxQueryMemoryBytes)),
    ...asked,
    ['max_memory_usage', memory + kept],
    ['max_execution_time', Math.max(run.timeoutS, 0.001)],
    ['log_comment', run.comment],
  ])
}

/** Bytes in memory from which on a statement puts rows on disk. */
export function spilledFrom(settings: Settings): number {
  const [groups, sorted] = SPILL_LIMITS.map((name) => Number(settings.get(name) ?? 0))
  return Math.min(groups || Number.POSITIVE_INFINITY, sorted || Number.POSITIVE_INFINITY)
}

function toNumber([name, value]: [string, string | number]): [string, number] {
  return [name, Number(value)]
}
