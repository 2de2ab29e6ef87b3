import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  EVENT_KINDS,
  WEBHOOK_EVENTS,
  webhookBodyOf,
} from '../../../schemas/portal/webhook-events.ts'

const page = readFileSync('docs/reference/webhooks.md', 'utf8')

it('shows each kind of event with a body that has its fields', () => {
  const sections = page.split(/^### /m).slice(1)
  expect(sections.map((section) => section.split('\n')[0])).toEqual(EVENT_KINDS)
  for (const [at, kind] of EVENT_KINDS.entries()) {
    const section = sections[at] ?? ''
    expect(section).toContain(WEBHOOK_EVENTS[kind].told)
    const shown: unknown = JSON.parse(/```json\n(.*)\n```/.exec(section)?.[1] ?? '')
    expect(webhookBodyOf(kind).parse(shown)).toEqual(shown)
  }
})

it('shows a signature that follows from what it shows', () => {
  const shown = (name: string) => new RegExp(`^${name} +(.+)$`, 'm').exec(page)?.[1] ?? ''
  const key = Buffer.from(shown('secret').replace('whsec_', ''), 'base64')
  const signed = `${shown('id')}.${shown('timestamp')}.${shown('body')}`
  const mac = createHmac('sha256', key).update(signed).digest('base64')
  expect(page).toContain(`webhook-signature: v1,${mac}\n`)
})
