// docs/guides/alerts.md, followed word for word; its mails and webhooks come to servers of the
// test.
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
import { type HookReceiver, startHookReceiver, verify } from '../../support/portal/hook-receiver.ts'
import { type MailSink, startMailSink } from '../../support/portal/mail-sink.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { awayFromEndOf, FIVE_MINUTES_MS } from '../../support/run/away-from.ts'

const TEST_MS = 600_000
const GUIDE = 'alerts.md'
const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-alerts-'))
let product: Product
let mails: MailSink
let hooks: HookReceiver
let blocks: readonly FollowedBlock[]
beforeAll(async () => {
  // The monitor runs at each fifth minute of the clock. A run of its own between the event and
  // what the guide asks of it would close the alert.
  await awayFromEndOf(FIVE_MINUTES_MS, 90_000)
  ;[mails, hooks] = await Promise.all([startMailSink(), startHookReceiver()])
  product = await startProduct({
    dataDir: join(directory, 'data'),
    environment: { LOGEYE_MAIL_URL: mails.url },
  })
  const { password } = product.secrets
  const environment = { HOOK_URL: hooks.url, HOOK_SECRET: SECRET }
  blocks = await followGuide(GUIDE, { url: product.url, password, directory, environment })
}, TEST_MS)
afterAll(async () => {
  await product?.stop()
  await mails?.close()
  await hooks?.close()
  rmSync(directory, { recursive: true, force: true })
})

describe(
  'the guide to monitors and alerts',
  () => {
    it.each(readGuide(GUIDE).map((block, at) => ({ ...block, at })))(
      'block $at prints what it says',
      ({ at, said }) => {
        const { printed = '', commands = '' } = blocks[at] ?? {}
        expect(printed, commands).not.toMatch(/command not found|logeye-sdk: /)
        if (said !== undefined) expect(printed).toMatch(saidPattern(said))
      },
    )

    it('has told the alert once by each way', () => {
      const alerts = hooks.got.filter(({ body }) => JSON.parse(body).type === 'alert.opened')
      expect(alerts).toHaveLength(1)
      const [alert] = alerts
      expect(alert && verify(alert, SECRET)).toMatchObject({ data: { monitor: 'payments fail' } })
      const opened = mails.mails.filter(({ raw }) => raw.includes('payments fail opened'))
      expect(opened.map(({ to }) => to)).toEqual([['ops@example.com']])
    })
  },
  TEST_MS,
)
