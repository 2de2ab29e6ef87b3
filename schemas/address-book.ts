// Accounts of the address book: how the product reaches other machines. Secrets are kept apart,
// encrypted, and are here only by name (decision 7.5).
import { z } from 'zod'

/** Ways in which an alert is told. */
export const ALERT_TARGETS = ['mail', 'webhook', 'slack', 'alertmanager'] as const

export const ACCOUNT_SECRETS = {
  ssh: ['userPassword', 'privateKey', 'passphrase'],
  remoteProduct: ['userPassword'],
  s3: ['secretKey'],
  windowsShare: ['userPassword'],
  database: ['userPassword'],
  alertTarget: ['targetURL', 'signingSecret'],
} as const

export type BookAccountKind = keyof typeof ACCOUNT_SECRETS
export type SecretName = (typeof ACCOUNT_SECRETS)[BookAccountKind][number]

export const BOOK_ACCOUNT_KINDS: Readonly<Record<BookAccountKind, string>> = {
  ssh: 'SSH account',
  remoteProduct: 'remote product account',
  s3: 'S3 account',
  windowsShare: 'Windows share account',
  database: 'database account',
  alertTarget: 'alert target',
}

/** As they lie in the database, by kind. */
export const ACCOUNT_SETTINGS = {
  ssh: z.object({
    host: z.string(),
    port: z.number().int(),
    userName: z.string(),
    /** `<type> SHA256:<base64>`, or without the type; '': not known yet. */
    hostKey: z.string(),
  }),
  remoteProduct: z.object({
    remoteURL: z.string(),
    userName: z.string(),
    /** PEM, trusted beside the usual ones; '' for none. */
    certificate: z.string(),
  }),
  s3: z.object({
    bucket: z.string(),
    region: z.string(),
    /** '' for Amazon's. */
    endpoint: z.string(),
    accessKey: z.string(),
  }),
  windowsShare: z.object({
    /** `\\host\share`. */
    share: z.string(),
    /** Where it is mounted on this machine; '' where it is not. */
    mountPath: z.string(),
    domain: z.string(),
    userName: z.string(),
  }),
  /** PostgreSQL. */
  database: z.object({
    host: z.string(),
    port: z.number().int(),
    database: z.string(),
    userName: z.string(),
    isTls: z.boolean(),
    /** As of remoteProduct. */
    certificate: z.string(),
  }),
  alertTarget: z.object({
    type: z.enum(ALERT_TARGETS),
    /** Of mail. */
    to: z.array(z.string()).readonly(),
    /** When what was gathered is told together; '': each alert by itself. Targets made before there
     *  was one gather nothing. */
    digest: z.string().default(''),
    /** Of the digest; '' for that of the system. */
    timeZone: z.string().default(''),
  }),
} as const

export type BookAccountSettings<K extends BookAccountKind = BookAccountKind> = Readonly<
  z.infer<(typeof ACCOUNT_SETTINGS)[K]>
>

export function isBookAccountKind(kind: string): kind is BookAccountKind {
  return Object.hasOwn(ACCOUNT_SETTINGS, kind)
}

export function isSecretName(name: string): name is SecretName {
  return Object.values(ACCOUNT_SECRETS).some((names) => names.some((it) => it === name))
}
