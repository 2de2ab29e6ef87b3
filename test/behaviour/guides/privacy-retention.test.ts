// docs/guides/privacy.md and docs/guides/retention.md, followed word for word.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FollowedBlock,
  followGuide,
  readGuide,
  saidPattern,
} from '../../support/guides/follow-guide.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

const TEST_MS = 300_000
const GUIDES: readonly (readonly [guide: string, neverPrinted: RegExp])[] = [
  ['privacy.md', /command not found|logeye-sdk: /],
  // It shows commands that are refused.
  ['retention.md', /command not found/],
]

describe.each(GUIDES)('the guide %s', (guide, neverPrinted) => {
  const directory = mkdtempSync(join(tmpdir(), 'logeye-test-guide-'))
  let product: Product
  let blocks: readonly FollowedBlock[]
  beforeAll(async () => {
    product = await startProduct({ dataDir: join(directory, 'data') })
    const { password, token } = product.secrets
    const environment = { LOGEYE_TOKEN: token }
    blocks = await followGuide(guide, { url: product.url, password, directory, environment })
  }, TEST_MS)
  afterAll(async () => {
    await product?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  it.each(readGuide(guide).map((block, at) => ({ ...block, at })))(
    'block $at prints what it says',
    ({ at, said }) => {
      const { printed = '', commands = '' } = blocks[at] ?? {}
      expect(printed, commands).not.toMatch(neverPrinted)
      if (said !== undefined) expect(printed).toMatch(saidPattern(said))
    },
  )
})
