// docs/guides/evidence.md, followed word for word.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callSdk } from '../../support/clients/call-sdk.ts'
import {
  type FollowedBlock,
  followGuide,
  readGuide,
  saidPattern,
} from '../../support/guides/follow-guide.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const TEST_MS = 300_000
const GUIDE = 'evidence.md'

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-evidence-'))
const heads = join(directory, 'heads')
let product: Product
let blocks: readonly FollowedBlock[]
beforeAll(async () => {
  product = await startProduct({
    dataDir: join(directory, 'data'),
    environment: { LOGEYE_EVIDENCE_HEADS_URL: pathToFileURL(heads).href },
  })
  const { url } = product
  const { password } = product.secrets
  // A failed one is an entry of the audit log, too.
  await callSdk({ url, password }, 'addFolder', { name: 'seen' })
  await waitUntil('a head of the evidence is put away', () =>
    readdirOf(heads).some((name) => name.startsWith('head-')),
  )
  blocks = await followGuide(GUIDE, { url, password, directory })
}, TEST_MS)
afterAll(async () => {
  await product?.stop()
  rmSync(directory, { recursive: true, force: true })
})

it.each(readGuide(GUIDE).map((block, at) => ({ ...block, at })))(
  'block $at prints what it says',
  ({ at, said }) => {
    const { printed = '', commands = '' } = blocks[at] ?? {}
    expect(printed, commands).not.toMatch(/command not found|^logeye(-sdk)?: /m)
    if (said !== undefined) expect(printed).toMatch(saidPattern(said))
  },
)

it('says that nothing was changed', () => {
  expect(blocks[0]?.printed).toMatch(/^isUnchanged: true$/m)
  expect(blocks[0]?.printed).toMatch(/^auditEntries: [1-9]/m)
})

function readdirOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
