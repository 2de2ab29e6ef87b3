// Process configuration (decision 1.10): names, units, defaults. Read by infra/config.ts from the environment and --config file.
// The environment name is derived: http.plainPort -> LOGEYE_HTTP_PLAIN_PORT. Product settings that change at run time live in the database.
import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)
const bytes = z.coerce.number().int().min(1)
const count = z.coerce.number().int().min(1)
const MIB = 1024 * 1024

export const ROLES = ['listener', 'writer', 'scheduler', 'query', 'store'] as const
export type Role = (typeof ROLES)[number]

export const configSchema = z.strictObject({
  /** Roles this start runs; several names separated by commas. */
  roles: z
    .array(z.enum(ROLES))
    .min(1)
    .default([...ROLES]),
  dataDir: z.string().min(1).default('./data'),
  /** Absent: embedded engine under dataDir. */
  eventLogUrl: z.string().min(1).optional(),
  /** Absent: embedded engine. A secret may stand in it. */
  storeUrl: z.url().optional(),
  databaseUrl: z.string().min(1).optional(),
  /** Address in links that we hand out; absent: http://localhost:<plainPort>. */
  publicUrl: z.url().optional(),
  http: z
    .strictObject({
      /** '' listens on every address. */
      address: z.string().default(''),
      plainPort: port.default(30_303),
      tlsPort: port.default(30_443),
      certificateFile: z.string().optional(),
      keyFile: z.string().optional(),
      /** Peers (addresses or CIDR) whose X-Forwarded-For or PROXY line is believed. */
      trustedProxies: z.array(z.string()).default([]),
      /** Front processes; more than 1 shares the port by SO_REUSEPORT. */
      frontProcesses: count.max(64).default(1),
    })
    .prefault({}),
  listener: z
    .strictObject({
      maxBodyBytes: bytes.default(10 * MIB),
      maxEvents: count.default(100_000),
      maxEventBytes: bytes.default(MIB),
      maxDepth: count.max(1000).default(32),
      maxColumns: count.default(1024),
      /** Bodies held in memory and not yet durable; above it 500 busy. */
      maxBytesInFlight: bytes.default(64 * MIB),
      /** Free bytes below which ingest is refused; absent: the smaller of 5 % of the disk and 2 GiB. */
      diskReserveBytes: z.coerce.number().int().min(0).optional(),
      /** Seconds a refused sender is asked to wait. */
      retryAfterSeconds: count.default(1),
    })
    .prefault({}),
  eventLog: z
    .strictObject({
      /** Bytes not yet stored; absent: 20 % of the disk. */
      maxBytes: bytes.optional(),
      maxBlockBytes: bytes.default(16 * MIB),
    })
    .prefault({}),
  writer: z
    .strictObject({
      maxBatchRows: count.max(500_000).default(100_000),
      maxBatchBytes: bytes.default(64 * MIB),
      newLogsPerHour: count.default(1000),
      logsPerAccount: count.default(10_000),
      columnsPerLog: count.default(10_000),
    })
    .prefault({}),
  store: z
    .strictObject({
      /** Embedded engine: memory of all queries together. */
      maxMemoryBytes: bytes.default(900 * MIB),
      maxQueryMemoryBytes: bytes.default(400_000_000),
    })
    .prefault({}),
  search: z
    .strictObject({
      defaultTimeoutMs: count.default(60_000),
      maxTimeoutMs: count.default(600_000),
      /** Searches that run at once in one query process; others wait in a fair queue. */
      maxConcurrent: count.default(4),
      maxQueued: count.default(200),
    })
    .prefault({}),
  log: z
    .strictObject({ level: z.enum(['error', 'warn', 'info', 'debug']).default('info') })
    .prefault({}),
})

export type Config = z.infer<typeof configSchema>
