// What the OpenAPI document of the portal says before its calls.
import { z } from 'zod'
import type { OpenApiHead } from '../../infra/http/routes/print-openapi.ts'
import {
  EVENT_KINDS,
  WEBHOOK_EVENTS,
  type WebhookEventKind,
  webhookBodyOf,
} from '../../schemas/portal/webhook-events.ts'
import { COOKIE } from '../access/authenticate.ts'

const DESCRIPTION = [
  'Licences, usage, prices and offers of Logeye.',
  '',
  '- Credentials travel as `Authorization: Bearer …`: a licence key (`lic_…`), the token of a deployment (`dpl_…`), a key of the API (`key_…`), a session (`ses_…`) or an operator (`opr_…`). Never in an address. Browsers have a cookie and show a CSRF token.',
  '- A call acts for one organization: that of its credential, or the one in `X-Organization-Id`, for people of several and for operators. What belongs to another organization is answered as what is not there.',
  '- A call that changes something may carry `Idempotency-Key`: sent again within 24 hours with the same body it is not done again; its answer comes with `Idempotent-Replayed: true`. Of calls that failed nothing is kept.',
  '- Lists go from the newest to the oldest: `limit`, `cursor`; `nextCursor`, and the header `Link`, lead to the next page. What is added meanwhile moves nothing.',
  '- What happens is sent to webhooks after Standard Webhooks 1.0.0.',
  '- Failures are problems (RFC 9457) with a stable `code`.',
  '- Unknown fields and parameters are refused, but for those of heartbeats.',
].join('\n')

export function portalApiHead(of: {
  readonly version: string
  readonly publicUrl: string
}): OpenApiHead {
  return {
    info: { title: 'Logeye portal', version: of.version, description: DESCRIPTION },
    serverUrl: of.publicUrl,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: {
        ...{ type: 'http', scheme: 'bearer' },
        description: 'A key of the API (`key_…`) with the scope that the call names.',
      },
      cookie: { type: 'apiKey', in: 'cookie', name: COOKIE },
    },
    security: [{ bearer: [] }],
    webhooks: Object.fromEntries(EVENT_KINDS.map((kind) => [kind, describeWebhook(kind)])),
  }
}

function describeWebhook(kind: WebhookEventKind) {
  const text = (description: string) => z.string().meta({ description })
  return {
    summary: WEBHOOK_EVENTS[kind].told,
    headers: {
      'webhook-id': text('Of the message, the same at every attempt.'),
      'webhook-timestamp': text('Of the attempt: seconds since 1970.'),
      'webhook-signature': text('`v1,<base64>`, one for each secret, with blanks between.'),
    },
    body: webhookBodyOf(kind),
    answers: {
      '2XX': 'It was taken.',
      '410': 'The webhook is disabled.',
      default: 'It is sent again later, for about three days.',
    },
  }
}
