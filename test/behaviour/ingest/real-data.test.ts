// Excerpts of real logs are found again whole: each in one of the shapes in `npm test`, in every
// shape in `npm run test:all`. The whole files: loadtest/real-data.ts.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin, makeWord, productUrl, sdk } from '../../support/clients/product-client.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { SHAPES } from '../../support/real-data/body-shapes.ts'
import { checkFile } from '../../support/real-data/check-file.ts'
import { readDataFile } from '../../support/real-data/data-files.ts'
import { isFullTier } from '../../support/run/tier.ts'

const FILES = [
  ['apache-access.log', 'lines'],
  ['aws-cloudtrail.ndjson', 'json'],
  ['nginxplus-status.ndjson', 'json'],
  ['windows-sysmon.ndjson', 'json'],
  ['zeek-apt29.ndjson', 'json'],
] as const

let timeZone = ''

beforeAll(async () => {
  const settings = await sdk('settings', { get: 'system.timeZone' })
  timeZone = String(settings['system.timeZone'])
  await sdk('settings', { timeZone: 'UTC' })
})

afterAll(async () => {
  await sdk('settings', { timeZone })
})

const shapesOf = (at: number) =>
  isFullTier ? SHAPES : SHAPES.slice(at % SHAPES.length, (at % SHAPES.length) + 1)

describe.each(FILES.map((file, at) => [...file, at] as const))('%s', (name, kind, at) => {
  const file = readDataFile(join(import.meta.dirname, '../../fixtures', name), kind)

  it.each(shapesOf(at))(
    'sent as %s has its count, bytes, order, times, columns and words',
    async (shape) => {
      const target = {
        url: productUrl(),
        search: makeSearchClient(productUrl(), admin().password),
        addListener: async (given: Readonly<Record<string, string>>) =>
          String((await sdk('addListener', given)).token),
      }
      const report = await checkFile(target, file, shape, `${makeWord(file.name)} ${shape}`)
      const events = file.lines.length
      expect(report).toMatchObject({
        ...{ events, counted: events, sameRaw: events, sameTime: events },
        problems: [],
      })
      expect(report.words).toBeGreaterThan(10)
      if (kind === 'json') expect(report.cells).toBeGreaterThan(events)
    },
  )
})
