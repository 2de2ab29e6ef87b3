// docs/guides/set-up.md, followed word for word; and the configuration that came of it, applied to
// another product.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSdkClient } from '../../support/clients/run-sdk-client.ts'
import {
  type FollowedBlock,
  followGuide,
  readGuide,
  saidPattern,
} from '../../support/guides/follow-guide.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

const TEST_MS = 300_000
const GUIDE = 'set-up.md'

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-guide-'))
let first: Product
let second: Product
let blocks: readonly FollowedBlock[]
beforeAll(async () => {
  first = await startProduct({ dataDir: join(directory, 'first') })
  const { password } = first.secrets
  blocks = await followGuide(GUIDE, { url: first.url, password, directory })
  second = await startProduct({ dataDir: join(directory, 'second') })
}, TEST_MS)
afterAll(async () => {
  await first?.stop()
  await second?.stop()
  rmSync(directory, { recursive: true, force: true })
})

describe(
  'the guide to set a product up',
  () => {
    it.each(readGuide(GUIDE).map((block, at) => ({ ...block, at })))(
      'block $at prints what it says',
      ({ at, said }) => {
        const { printed = '', commands = '' } = blocks[at] ?? {}
        expect(printed, commands).not.toMatch(/command not found|logeye-sdk: (?!this user may not)/)
        if (said !== undefined) expect(printed).toMatch(saidPattern(said))
      },
    )

    it('makes a configuration that makes another product the same', async () => {
      const sdk = (product: Product, ...words: string[]) =>
        runSdkClient(['-productURL', `${product.url}/logeye`, '-user', 'admin', '-api', ...words], {
          password: product.secrets.password,
          variables: {
            LOGEYE_USER_ADMIN_USERPASSWORD: 'not used, since admin is there',
            LOGEYE_USER_ANN_USERPASSWORD: 'correct horse',
          },
        })
      const file = join(directory, 'site.yaml')
      const applied = await sdk(second, 'apply', '-file', file)
      expect(applied).toMatchObject({ code: 0, err: '' })
      const exported = await sdk(second, 'exportAll')
      expect(exported.out).toBe(readFileSync(file, 'utf8'))
      // Folders with logs that came with data, of which nothing more was said than their name.
      for (const name of ['Shop', 'Edge', 'Office'])
        expect(exported.out).toMatch(
          new RegExp(`^folder:(?:\\n .*)*\\n {2}- name: ${name}\\n`, 'm'),
        )
      const again = await sdk(second, 'apply', '-file', file)
      expect(again.out).toMatch(/^nothing to change: /)
    })
  },
  TEST_MS,
)
