// Webhooks of an organization: where its events go, and what became of each message.
import { z } from 'zod'
import { maker, organizationId } from './accounts.ts'
import { givenTime, idOf, lineText, pageQuery, timestamp } from './common.ts'
import { EVENT_KINDS } from './webhook-events.ts'

export const webhookId = idOf('whk', 'a webhook')
export const messageId = idOf('msg', 'a message')

const url = z
  .string()
  .min(1)
  .max(2000)
  .meta({
    description:
      'https, to an address of the public internet; without user, password and fragment.',
    examples: ['https://hooks.customer.example/logeye'],
  })
const description = lineText(500)
const eventKind = z.enum(EVENT_KINDS)
const events = z
  .array(eventKind.exclude(['webhook.test']))
  .max(EVENT_KINDS.length)
  .min(1)
  .refine((given) => new Set(given).size === given.length, 'must name each kind once')
  .meta({ description: 'Kinds of events that it takes.' })

export const newWebhook = z.strictObject({
  url,
  description: description.default(''),
  events,
  isEnabled: z.boolean().default(true),
})

export const changedWebhook = z.strictObject({
  url: url.optional(),
  description: description.optional(),
  events: events.optional(),
  isEnabled: z
    .boolean()
    .optional()
    .meta({ description: 'What was skipped meanwhile is sent when it is replayed.' }),
})

export const DISABLED_BY = ['person', 'gone', 'failing'] as const

export const webhook = z
  .strictObject({
    id: webhookId,
    organizationId,
    url: z.string(),
    description: z.string(),
    events: z.array(eventKind),
    isEnabled: z.boolean(),
    disabledBy: z.enum(DISABLED_BY).nullable().meta({
      description:
        '`person`; `gone`: it answered 410; `failing`: a message was given up, and none was taken meanwhile.',
    }),
    disabledAt: timestamp.nullable(),
    createdAt: timestamp,
    madeBy: maker.nullable().meta({
      description: 'The person who gave the address; null: before this was kept.',
    }),
    lastDeliveredAt: timestamp.nullable(),
    oldSecretsEndAt: timestamp
      .nullable()
      .meta({ description: 'Up to then messages are signed with replaced secrets, too.' }),
  })
  .meta({ id: 'Webhook' })

const secret = z.string().meta({ description: '`whsec_…` in base64, shown here alone.' })
export const webhookWithSecret = z
  .strictObject({ webhook, secret })
  .meta({ id: 'WebhookWithSecret' })

const MAX_OVERLAP_SECONDS = 7 * 86_400
const USUAL_OVERLAP_SECONDS = 86_400
export const rotatedSecret = z.strictObject({
  overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(USUAL_OVERLAP_SECONDS).meta({
    description: 'For which both secrets sign, at most a week; 0: the old one ends at once.',
  }),
})

export const MESSAGE_STATES = ['pending', 'delivered', 'failed', 'skipped'] as const
export const messagesQuery = pageQuery.extend({ state: z.enum(MESSAGE_STATES).optional() })

export const message = z
  .strictObject({
    id: messageId.meta({ description: 'As in `webhook-id`, at every attempt.' }),
    type: eventKind,
    state: z.enum(MESSAGE_STATES).meta({
      description:
        '`failed`: all attempts were in vain; `skipped`: the webhook was disabled. Both can be replayed.',
    }),
    createdAt: timestamp,
    tries: z.int().meta({ description: 'Since it was made or replayed.' }),
    nextAttemptAt: timestamp.nullable(),
  })
  .meta({ id: 'WebhookMessage' })

export const messageWithBody = z
  .strictObject({
    message,
    body: z.string().meta({ description: 'JSON, byte for byte as it is sent.' }),
  })
  .meta({ id: 'WebhookMessageWithBody' })

export const attemptsQuery = pageQuery.extend({ messageId: messageId.optional() })

export const attempt = z
  .strictObject({
    id: idOf('wat', 'an attempt'),
    messageId,
    at: timestamp,
    durationMs: z.int(),
    status: z.int().nullable().meta({ description: 'Of the answer; null: there was none.' }),
    failure: z.string().nullable().meta({ description: 'Null: it was delivered.' }),
    answer: z.string().meta({ description: 'First 1,024 bytes of the body.' }),
  })
  .meta({ id: 'WebhookAttempt' })

export const replayedSince = z.strictObject({
  since: givenTime.meta({
    description: 'Messages made since then that failed or were skipped are sent again.',
  }),
})
export const replayed = z
  .strictObject({ count: z.int().meta({ description: 'Messages on their way again.' }) })
  .meta({ id: 'ReplayedMessages' })
