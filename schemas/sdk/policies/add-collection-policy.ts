// Makes or changes a collection policy.
import { z } from 'zod'
import { CHECKSUMS, MAX_COLLECTION_POLICIES } from '../../collection-policy.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { cronValue, forwardValue, optionalDaysValue, optionalSizeValue } from '../policy-values.ts'
import { flagValue, textValue, wholeNumberValue } from '../values.ts'

const MAX_DIRECTORY_DAYS = 36_500

export const addCollectionPolicy = {
  name: 'addCollectionPolicy',
  help: `Makes a collection policy, under which the events of its logs lie in the store. Each policy costs the writer an insert of its own in every batch that has events of it, so there are at most ${MAX_COLLECTION_POLICIES}. By storageDays and storageMaxBytes whole days of receipt (UTC) are REMOVED from the store within a minute; with an archive they are written there first, and stay when that fails. A copy of what is received from then on goes to forwardTo.`,
  operation: 'data.policies',
  sees: { kind: 'paths', paths: ['collectionPolicy'] },
  target: 'name',
  input: z.strictObject({
    name: argument(objectNameSchema, {
      description: 'name of the policy; letter case does not tell two apart',
      hint: '<name>',
    }),
    description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
    storageDays: argument(optionalDaysValue.optional(), {
      description:
        'whole days for which events are searchable; then they are removed; empty for ever',
      hint: '30',
    }),
    storageMaxBytes: argument(optionalSizeValue.optional(), {
      description:
        'most bytes that its events may take on the disk; above it the oldest days are removed, never today and yesterday; empty for no limit',
      hint: '500 GiB',
    }),
    storageDirectory: argument(textValue.optional(), {
      description:
        'where its days lie from storageDirectoryDays on: one of LOGEYE_STORE_DIRECTORIES, or with a ClickHouse server the path of a disk of the storage policy of the table events; empty for the data directory',
      hint: '<directory>',
    }),
    storageDirectoryDays: argument(wholeNumberValue(1, MAX_DIRECTORY_DAYS).optional(), {
      description:
        'whole days after the day of receipt (UTC) before a day moves to storageDirectory; default 1, since today and yesterday are being written',
      hint: '7',
    }),
    warningAddress: argument(textValue.optional(), {
      description:
        'mail address that is told when its storage is nearly full, full or not archived, or the disk nearly full, once each time; needs LOGEYE_MAIL_URL; empty for none',
      hint: 'ops@example.com',
    }),
    archiveAccount: argument(textValue.optional(), {
      description: 'S3 account of the address book that has its archive; empty: a folder',
      hint: '<name>',
    }),
    archiveDirectory: argument(textValue.optional(), {
      description:
        'folder of its archive, which must be there, or prefix in the bucket of archiveAccount: what leaves the store is archived first; empty, without archiveAccount, for no archive',
      hint: '<directory>',
    }),
    archiveDays: argument(optionalDaysValue.optional(), {
      description:
        'whole days after the day of receipt for which an archive is kept; then it is removed; empty for ever',
      hint: '400',
    }),
    archiveChecksum: argument(z.enum(CHECKSUMS, `must be ${CHECKSUMS.join(', ')}`).optional(), {
      description: 'checksum of the objects of its archive; default none, which is sha256',
      hint: CHECKSUMS.join('|'),
    }),
    forwardTo: argument(forwardValue.optional(), {
      description:
        'where a copy of each event goes: HTTP, syslog over TCP or UDP, Kafka, or the address of an alert target of the type webhook (such as the listener of another Logeye, with its token); empty for nowhere',
      hint: 'https://host/path|tcp://host:1468|udp://host:514|kafka://host:9092/topic|account:<name>',
    }),
    schedule: argument(cronValue.optional(), {
      description:
        'when its files are collected, as cron writes it; kept: files are read as they grow',
      hint: '0 1 * * *',
    }),
    update: argument(flagValue.optional(), {
      description: 'true: changes the policy of this name; what is not given stays',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({
    /** Number under which its events lie in the store. */
    id: z.number(),
    name: z.string(),
    /** What of it has no effect yet. */
    notes: z.array(z.string()),
  }),
} as const satisfies CommandEntry
