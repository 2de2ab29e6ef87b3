// Makes or changes an account of the address book for an object storage.

import { z } from 'zod'
import { trimEnd } from '../../names/trim-end.ts'
import { argument, type CommandEntry } from '../argument.ts'
import {
  bookAccountAnswer,
  bookAccountArguments,
  bookAccountName,
  requireWhenNew,
  secretValue,
  urlFault,
} from '../book-account.ts'

const BUCKET = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,64}$/
const ACCESS_KEY = /^[\w.@+=/-]{1,256}$/

const FORWARD = 'give its address to addCollectionPolicy as -forwardTo'

/** Kinds of the address book that this product does not have, each with what to use. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ssh: 'give it to addSSHAccount',
    windows: 'give it to addWindowsShareAccount',
    remote: 'give it to addRemoteProductAccount',
    aws: 'S3 is -type s3; let other services of AWS write to S3, or send to a listener account',
    database: 'let a program send the rows to a listener account, in JSON',
    appengine: 'let the logs be exported to a storage of -type s3, or send to a listener account',
    hadoop: 'mount the file system and give its directory to addScanTask',
    jms: 'let a bridge send the messages to a listener account',
    http: FORWARD,
    syslog: FORWARD,
    kafka: FORWARD,
    socket: FORWARD,
    snmp: 'traps are not sent in this version',
  }),
)
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'app engine': 'appengine',
    smb: 'windows',
    hdfs: 'hadoop',
    jdbc: 'database',
    'remote instance': 'remote',
    rfc3164: 'syslog',
    rfc5424: 'syslog',
    forwarder: 'syslog',
  }),
)

const typeValue = z.string().transform((text, context): 's3' => {
  const type = text.trim().toLowerCase()
  if (type === 's3') return 's3'
  const instead =
    ELSEWHERE.get(type) ??
    ELSEWHERE.get(ALIASES.get(type) ?? '') ??
    ELSEWHERE.get([...ELSEWHERE.keys()].find((it) => type.startsWith(it)) ?? '')
  const message =
    instead === undefined
      ? 'must be s3'
      : `there are no accounts of the type ${type} here: ${instead}`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

const endpointValue = z
  .string()
  .trim()
  .max(1000, 'must have at most 1000 characters')
  .transform((text) => trimEnd(text, '/'))
  .superRefine((text, context) => {
    if (text === '') return
    const reason =
      urlFault(text) ?? (new URL(text).pathname === '/' ? undefined : 'must have no path')
    if (reason !== undefined) context.addIssue({ code: 'custom', message: reason })
  })

export const addExternalAccount = {
  name: 'addExternalAccount',
  help: 'Makes an account of the address book for an object storage.',
  operation: 'data.accounts',
  sees: { kind: 'paths', paths: ['account'] },
  target: 'name',
  input: z
    .strictObject({
      name: bookAccountName,
      type: argument(typeValue, {
        description: 's3; other kinds are refused, and the answer says what to use',
        hint: 's3',
      }),
      bucket: argument(
        z.string().trim().regex(BUCKET, 'must be the name of an S3 bucket').optional(),
        { description: 'required for a new account', hint: '<name>' },
      ),
      region: argument(
        z.string().trim().regex(REGION, 'must be a region such as eu-central-1').optional(),
        { description: 'default us-east-1', hint: 'eu-central-1' },
      ),
      endpoint: argument(endpointValue.optional(), {
        description:
          'address of a storage that speaks S3, called with the bucket in the path; empty for that of Amazon',
        hint: 'https://host:9000',
      }),
      accessKey: argument(
        z.string().trim().regex(ACCESS_KEY, 'must be an access key id').optional(),
        { description: 'required for a new account', hint: '<id>' },
      ),
      secretKey: argument(secretValue.optional(), {
        description: 'of the access key; empty for none',
        hint: '<text>',
        isSecret: true,
      }),
      ...bookAccountArguments,
    })
    .superRefine(requireWhenNew(['bucket', 'accessKey'])),
  answer: bookAccountAnswer,
} as const satisfies CommandEntry
