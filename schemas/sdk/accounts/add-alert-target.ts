// Makes or changes an account of the address book to which alerts are told.
import { z } from 'zod'
import { ALERT_TARGETS } from '../../address-book.ts'
import { scheduleValue } from '../../monitors/monitor-values.ts'
import { argument, type CommandEntry } from '../argument.ts'
import {
  bookAccountAnswer,
  bookAccountArguments,
  bookAccountName,
  requireWhenNew,
  secretValue,
} from '../book-account.ts'
import { listValue, timeZoneValue } from '../values.ts'

const MAX_ADDRESSES = 50
const SECRET = /^(whsec_)?[A-Za-z0-9+/]{32,88}={0,2}$/

const addressesValue = listValue
  .refine((list) => list.length <= MAX_ADDRESSES, `must be at most ${MAX_ADDRESSES} addresses`)
  .refine(
    (list) => list.every((one) => z.email().safeParse(one).success),
    'must be mail addresses, a@b.example,c@d.example',
  )

const urlValue = secretValue.refine((text) => text === '' || isTarget(text), {
  message: 'must be an address that begins with https:// or http://, without credentials',
})

const digestValue = z.union([z.literal(''), scheduleValue]).refine((text) => text !== 'never', {
  message: 'must be a time at which it is told; empty for each alert by itself',
})

function isTarget(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

export const addAlertTarget = {
  name: 'addAlertTarget',
  help: 'Makes an account of the address book to which monitors tell alerts: mail, a signed webhook (Standard Webhooks), a webhook of Slack, or an Alertmanager. With -verify true a test message is sent first.',
  operation: 'data.accounts',
  sees: { kind: 'paths', paths: ['account'] },
  target: 'name',
  input: z
    .strictObject({
      name: bookAccountName,
      type: argument(
        z.enum(ALERT_TARGETS, `must be one of ${ALERT_TARGETS.join(', ')}`).optional(),
        { description: 'required for a new one', hint: ALERT_TARGETS.join('|') },
      ),
      to: argument(addressesValue.optional(), {
        description: 'of mail: the addresses; the server is LOGEYE_MAIL_URL',
        hint: 'ops@example.com,night@example.com',
      }),
      targetURL: argument(urlValue.optional(), {
        description:
          'of the others: where it is sent; it is kept as a secret, for it often holds one. Of an Alertmanager the address before /api/v2/alerts',
        hint: 'https://host/path',
        isSecret: true,
      }),
      signingSecret: argument(
        secretValue
          .refine(
            (text) => text === '' || SECRET.test(text),
            'must be whsec_ and base64, 24 bytes at least',
          )
          .optional(),
        {
          description: 'of a webhook: signs each message; required for it',
          hint: 'whsec_…',
          isSecret: true,
        },
      ),
      digest: argument(digestValue.optional(), {
        description:
          'when alerts that were gathered are told in one message; critical ones and escalations go at once; empty for each alert by itself',
        hint: 'every 1h|daily 08:00|weekly mon 08:00|<cron>',
      }),
      timeZone: argument(timeZoneValue.optional(), {
        description: 'of the digest; empty for that of the system',
        hint: 'Europe/Berlin',
      }),
      ...bookAccountArguments,
    })
    .superRefine(requireWhenNew(['type'])),
  answer: bookAccountAnswer,
} as const satisfies CommandEntry
