import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../../infra/config-schema.ts'
import type { ListenerFailureCode } from '../../../../../ingest/listener/admission/outcome.ts'
import { Answers } from '../../../../../ingest/listener/inputs/logger/print-answer.ts'
import { FAILURES } from '../../../../../schemas/failures.ts'

const { listener, eventLog } = configSchema.parse({ listener: { retryAfterSeconds: 3 } })
const answers = new Answers({ ...listener, maxBlockBytes: eventLog.maxBlockBytes })

describe('answers', () => {
  it('of stored requests carry counts, errors and the receipt in the order of the decision', () => {
    const rejections = [{ index: 2, code: 'too_deep' }] as const
    expect(answers.stored({ received: 3, accepted: 2, rejections }, '0-1-ab').body).toBe(
      '{"text":"Success","code":0,"received":3,"accepted":2,"rejected":1,"errors":[{"index":2,"code":"too_deep",' +
        '"message":"an event is nested deeper than 32 levels"}],"receipt":"0-1-ab"}',
    )
  })

  it('are JSON for every failure of the table, with its code, and Retry-After for 500 alone', () => {
    const codes = Object.keys(FAILURES).filter((code): code is ListenerFailureCode =>
      code.startsWith('listener.'),
    )
    for (const code of codes) {
      const { status, headers, body } = answers.failed(code)
      const entry = FAILURES[code]
      expect(status).toBe(entry.status)
      expect(JSON.parse(body)).toEqual({
        text: expect.not.stringContaining('{'),
        code: entry.ingest,
        received: 0,
        accepted: 0,
        rejected: 0,
        errors: [],
      })
      const retryAfter = headers.find(([name]) => name === 'Retry-After')
      expect(retryAfter?.[1]).toBe(status === 500 ? '3' : undefined)
      expect(headers).toContainEqual(['Content-Type', 'application/json'])
    }
  })

  it('explain events by their index in the request', () => {
    const event = {
      path: 'a->b',
      log: 'l"',
      host: '',
      template: null,
      pattern: null,
      columns: { c: '\u0000' },
      time: '',
    }
    const { body } = answers.explained({ received: 2, accepted: 1, rejections: [] }, [event], [1])
    expect(JSON.parse(body)).toMatchObject({ debug: true, events: [{ index: 1, ...event }] })
  })
})
