// docs/guides/privacy.md, followed word for word.
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
const GUIDE = 'privacy.md'

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-privacy-'))
let product: Product
let blocks: readonly FollowedBlock[]
beforeAll(async () => {
  product = await startProduct({ dataDir: join(directory, 'data') })
  const { password } = product.secrets
  blocks = await followGuide(GUIDE, { url: product.url, password, directory })
}, TEST_MS)
afterAll(async () => {
  await product?.stop()
  rmSync(directory, { recursive: true, force: true })
})

describe('the guide to privacy', () => {
  it.each(readGuide(GUIDE).map((block, at) => ({ ...block, at })))(
    'block $at prints what it says',
    ({ at, said }) => {
      const { printed = '', commands = '' } = blocks[at] ?? {}
      expect(printed, commands).not.toMatch(/command not found|logeye-sdk: /)
      if (said !== undefined) expect(printed).toMatch(saidPattern(said))
    },
  )
})
