// The events of the campaigns' senders of CloudEvents are CloudEvents, and are stored to the byte.
import { expect, it } from 'vitest'
import { CLOUDEVENTS_FORM } from '../../../../ingest/listener/inputs/cloudevents/form.ts'
import { readCloudEvents } from '../../../../ingest/listener/inputs/cloudevents/read-body.ts'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import {
  bodyText,
  eventText,
  isCloudEvents,
  numberIn,
} from '../../../../loadtest/chaos/campaign/numbered-events.ts'
import { makeAccount, readBack, splitWith } from '../../../support/ingest/split-event.ts'

const LIMITS = { maxEvents: 1000, maxEventBytes: 10_000, maxDepth: 32, maxColumns: 100 }
const EVENTS = 200

it('each third sender sends CloudEvents, half of them with a time of their own', () => {
  const senders = [0, 1, 2, 3, 4, 5].filter((sender) => isCloudEvents({ sender }))
  expect(senders).toEqual([2, 5])
})

it.each([2, 5])('all that sender %i sends are taken and read back', (sender) => {
  const place = { seed: 1, round: 2, sender }
  for (const first of [0, 1]) {
    // The one is an array, the other lines.
    const body = Buffer.from(bodyText(place, first, EVENTS))
    const { scanner } = readCloudEvents(body, LIMITS)
    scanner.run(body.length)
    expect(scanner.result()).toMatchObject({ kind: 'events', rejections: [] })
  }
  const splitter = makeAccountSplitter(makeAccount(), 'UTC', CLOUDEVENTS_FORM)
  for (let number = 0; number < EVENTS; number += 1) {
    const text = eventText(place, number)
    expect(numberIn(text)).toBe(number)
    const split = splitWith(splitter, text)
    expect(readBack(split, text).toString()).toBe(text)
  }
})
