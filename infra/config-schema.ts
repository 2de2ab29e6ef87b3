// Process configuration (decision 1.10): names, units, defaults. Read by infra/config.ts from the
// environment and --config file. The environment name is derived: http.plainPort ->
// LOGEYE_HTTP_PLAIN_PORT. Product settings that change at run time live in the database.

import { hostname } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { BYTE_SIZE_HINT, parseByteSize } from '../schemas/byte-size.ts'
import { NODE_NAME, NODE_NAME_HINT } from '../schemas/names/node-name.ts'
import { trimEnd } from '../schemas/names/trim-end.ts'
import { USUAL_HEARTBEAT_SECONDS } from '../schemas/portal/heartbeat-seconds.ts'
import { CLUSTER_NAME } from '../schemas/store/cluster.ts'
import { parseQuietHours, QUIET_HOURS_HINT, type QuietHours } from '../schemas/time/quiet-hours.ts'
import { oidcSchema } from './access/oidc/oidc-config.ts'
import { parseTrustedProxies } from './http/client-address.ts'
import { findObjectsUrlFault } from './objects/objects-url.ts'
import { SecretText } from './secret-text.ts'
import { SecretUrl } from './secret-url.ts'
import { parsePublicKey } from './signed-documents/signed-document.ts'
import { PROCESSES } from './supervisor/processes.ts'

/** A whole number; from the environment it comes as text. Nothing else counts as one (z.coerce
 *  would read '' and null as 0). */
function whole(least: number, most: number = Number.MAX_SAFE_INTEGER) {
  const read = (value: unknown) =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return z.preprocess(read, z.int('must be a whole number').min(least).max(most))
}

/** Bytes, or a text with a unit (schemas/byte-size.ts). */
function size(least: number) {
  const read = (value: unknown) =>
    typeof value === 'string' ? (parseByteSize(value) ?? value) : value
  const tooSmall = `must be at least ${least} bytes`
  return z.preprocess(read, z.int(`must be ${BYTE_SIZE_HINT}`).min(least, tooSmall))
}
const port = whole(0, 65_535)
const bytes = size(1)
const count = whole(1)
const engineUrl = z.string().min(1)
const MIB = 1024 * 1024
const MAX_STORE_DIRECTORIES = 16
const MAX_DIRECTORIES = 100

const proxyList = z.array(z.string()).superRefine((entries, context) => {
  for (const [at, entry] of entries.entries()) {
    try {
      parseTrustedProxies([entry])
    } catch (error) {
      const message = error instanceof Error ? error.message : 'cannot be read'
      context.addIssue({ code: 'custom', path: [at], message })
    }
  }
})

function toSecret(url: string): SecretUrl {
  return new SecretUrl(url)
}

const objectsUrl = z
  .string()
  .superRefine((url, context) => {
    const message = findObjectsUrlFault(url)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .transform(toSecret)

const ed25519Key = z
  .string()
  .refine(
    (text) => parsePublicKey(text) !== undefined,
    'must be the 32 bytes of an Ed25519 key as base64',
  )

const quietHours = z.string().transform((text, context): QuietHours => {
  const hours = parseQuietHours(text)
  if (hours !== 'wrong') return hours
  context.addIssue({ code: 'custom', message: QUIET_HOURS_HINT })
  return z.NEVER
})

const directories = z
  .array(
    z
      .string()
      .refine(isAbsolute, 'must be a whole path such as /var/log')
      .transform((path) => resolve(path)),
  )
  .max(MAX_DIRECTORIES)

/** As it can stand in an Authorization header, and too long to be guessed. */
const bearerToken = z
  .string()
  .regex(/^[A-Za-z0-9._~+/-]{24,200}=*$/, 'must be 24 to 200 letters, digits and . _ ~ + / -')
  .transform((text) => new SecretText(text))

/** The machine's, with `-` for what no name holds. */
function ownName(): string {
  return (
    hostname()
      .replace(/[^\w.-]/g, '-')
      .slice(0, 253) || 'node'
  )
}

export const configSchema = z
  .strictObject({
    /** Roles this start runs; several names separated by commas. */
    roles: z
      .array(z.enum(PROCESSES.all.roles))
      .min(1)
      .default([...PROCESSES.all.roles]),
    /** Relative to the directory the program is started in. */
    dataDir: z
      .string()
      .min(1)
      .default('./data')
      .transform((path) => resolve(path)),
    /** Where backups are made; absent: `backups` in dataDir. */
    backupDir: z
      .string()
      .min(1)
      .transform((path) => resolve(path))
      .optional(),
    /** Tells this machine from others; `listeningNode` of an account names it. */
    nodeName: z.string().regex(NODE_NAME, `must be ${NODE_NAME_HINT}`).default(ownName),
    /** Absent: embedded engine under dataDir. */
    eventLogUrl: engineUrl.transform(toSecret).optional(),
    /** Absent: embedded engine. A secret may stand in it. */
    storeUrl: z
      .url({ protocol: /^https?$/ })
      .transform(toSecret)
      .optional(),
    /** Name of the cluster that the server at storeUrl stands in; absent: it stands alone. */
    storeCluster: z.string().regex(CLUSTER_NAME, 'must be letters, digits, _, . and -').optional(),
    databaseUrl: engineUrl.transform(toSecret).optional(),
    /** Address in links that we hand out; absent: http://localhost:<plainPort>. */
    publicUrl: z.url({ protocol: /^https?$/ }).optional(),
    http: z
      .strictObject({
        /** '' listens on every address. */
        address: z.string().default(''),
        /** Absent: uws (uWebSockets.js) where it has a binary for this Node and platform, else node
         *  (node:http). */
        engine: z.enum(['uws', 'node']).optional(),
        plainPort: port.default(30_303),
        tlsPort: port.default(30_443),
        certificateFile: z.string().optional(),
        keyFile: z.string().optional(),
        /** Peers (addresses or CIDR) whose X-Forwarded-For or PROXY line is believed. */
        trustedProxies: proxyList.default([]),
        /** Front processes; more than 1 shares the port by SO_REUSEPORT. */
        frontProcesses: whole(1, 64).default(1),
        /** Whoever sends it as a bearer token may read /metrics, and nothing else. */
        metricsToken: bearerToken.optional(),
      })
      .refine((http) => (http.certificateFile === undefined) === (http.keyFile === undefined), {
        message: 'certificateFile and keyFile go together: give both or neither',
      })
      .prefault({}),
    listener: z
      .strictObject({
        maxBodyBytes: bytes.default(10 * MIB),
        maxEvents: count.default(100_000),
        maxEventBytes: bytes.default(MIB),
        maxDepth: whole(1, 1000).default(32),
        maxColumns: count.default(1024),
        /** Bodies held in memory and not yet durable; above it 500 busy. */
        maxBytesInFlight: bytes.default(64 * MIB),
        /** Free bytes below which ingest is refused; absent: the smaller of 5 % of the disk and 2
         *  GiB. */
        diskReserveBytes: size(0).optional(),
        /** Seconds a refused sender is asked to wait. */
        retryAfterSeconds: count.default(1),
      })
      .prefault({}),
    eventLog: z
      .strictObject({
        /** Bytes not yet stored; absent: 20 % of the disk. */
        maxBytes: bytes.optional(),
        /** Must hold the largest event with all that is kept beside it. */
        maxBlockBytes: size(3 * MIB).default(16 * MIB),
      })
      .prefault({}),
    writer: z
      .strictObject({
        maxBatchRows: whole(1, 500_000).default(100_000),
        maxBatchBytes: bytes.default(64 * MIB),
        newLogsPerHour: count.default(1000),
        logsPerAccount: count.default(10_000),
        columnsPerLog: count.default(10_000),
      })
      .prefault({}),
    geoip: z
      .strictObject({
        /** MMDB file for `{geoip}` of templates; absent: addresses have no places. */
        file: z.string().min(1).optional(),
      })
      .prefault({}),
    collect: z
      .strictObject({
        /** Directories whose files users with the right to make logs and tasks may have read; other
         *  paths need an administrator. */
        readRoots: directories.default(['/var/log']),
        /** Directories below which log sync tasks and archives of such users may write. */
        copyRoots: directories.default([]),
      })
      .prefault({}),
    store: z
      .strictObject({
        /** Embedded engine: memory of all queries together. */
        maxMemoryBytes: bytes.default(1100 * MIB),
        maxQueryMemoryBytes: bytes.default(400_000_000),
        /** Embedded engine: whole paths on other disks, where days of policies may lie. */
        directories: z.array(z.string().min(1)).max(MAX_STORE_DIRECTORIES).default([]),
        /** In which closed days are compacted, in the time zone of the system. */
        compactionHours: quietHours.default({ from: 1, to: 5 }),
      })
      .prefault({}),
    search: z
      .strictObject({
        defaultTimeoutMs: count.default(60_000),
        maxTimeoutMs: count.default(600_000),
        /** What an answer waits to know which words no event has; 0: it does not ask. */
        hintsWithinMs: whole(0, 60_000).default(1000),
        /** Searches that run at once in one query process; others wait in a fair queue. */
        maxConcurrent: count.default(4),
        maxQueued: count.default(200),
        /** Live tails open at once in one query process; one user may have a quarter of them. */
        maxTails: whole(1, 1000).default(20),
      })
      .prefault({}),
    /** The vendor's server for licences and prices (role `portal`). */
    portal: z
      .strictObject({
        /** '' listens on every address. HTTPS with the certificate of `http`. */
        address: z.string().default(''),
        plainPort: port.default(30_300),
        tlsPort: port.default(30_440),
        /** Absent: an SQLite file in the folder `portal` of dataDir. Never the product's. */
        databaseUrl: engineUrl.transform(toSecret).optional(),
        /** Address in links that it hands out; absent: http://localhost:<plainPort>. */
        publicUrl: z.url({ protocol: /^https?$/ }).optional(),
        /** SMTP server for invitations and new passwords; absent: no mail is sent. */
        mailUrl: z
          .url({ protocol: /^smtps?$/ })
          .transform(toSecret)
          .optional(),
        /** Where its files are: s3:// or file://; absent: `portal/objects` in dataDir. */
        objectsUrl: objectsUrl.optional(),
        /** Sender of its mails. */
        mailFrom: z.string().min(3).default('Logeye portal <portal@localhost>'),
        /** `any`: webhooks of customers may go to private addresses, and without TLS. */
        webhookTargets: z.enum(['public', 'any']).default('public'),
        /** Seconds between two heartbeats that it asks of deployments. */
        heartbeatSeconds: whole(2, 43_200).default(USUAL_HEARTBEAT_SECONDS),
      })
      .prefault({}),
    /** Of the product: alerts go out by it. The portal has its own. */
    mail: z
      .strictObject({
        /** SMTP server; absent: no mail is sent. */
        url: z
          .url({ protocol: /^smtps?$/ })
          .transform(toSecret)
          .optional(),
        /** Sender. */
        from: z.string().min(3).default('Logeye <logeye@localhost>'),
        /** Of a report: a larger one is told by its address alone. */
        maxAttachmentBytes: whole(1000, 100_000_000).default(10_000_000),
      })
      .prefault({}),
    license: z
      .strictObject({
        /** In place of the maker's, which is built in: 32 bytes of Ed25519 as base64. */
        publicKey: ed25519Key.optional(),
      })
      .prefault({}),
    evidence: z
      .strictObject({
        /** Where ends of the evidence are put, too: s3:// or file://; absent: nowhere. */
        headsUrl: objectsUrl.optional(),
      })
      .prefault({}),
    patch: z
      .strictObject({
        /** Of the maker of patches: 32 bytes of Ed25519 as base64; absent: none is taken. */
        publicKey: ed25519Key.optional(),
      })
      .prefault({}),
    secrets: z
      .strictObject({
        /** Keys of the secrets of accounts; absent: secrets.key under dataDir. The same file at
         *  every node that answers. */
        keyFile: z
          .string()
          .min(1)
          .transform((path) => resolve(path))
          .optional(),
      })
      .prefault({}),
    oidc: oidcSchema.prefault({}),
    log: z
      .strictObject({ level: z.enum(['error', 'warn', 'info', 'debug']).default('info') })
      .prefault({}),
  })
  .refine(({ storeUrl, storeCluster }) => storeCluster === undefined || storeUrl !== undefined, {
    path: ['storeCluster'],
    message: 'needs LOGEYE_STORE_URL, a server of the cluster',
  })

export type Config = z.infer<typeof configSchema>

/** Address in links that we hand out, without a slash at its end. */
export function publicUrlOf(
  { publicUrl }: { readonly publicUrl?: string | undefined },
  plainPort: number,
): string {
  return trimEnd(publicUrl ?? `http://localhost:${plainPort}`, '/')
}

/** Undefined: no mail is sent. */
export function mailServerOf({
  mail: { url, from },
}: Pick<Config, 'mail'>): { readonly url: string; readonly from: string } | undefined {
  return url && { url: url.reveal(), from }
}
