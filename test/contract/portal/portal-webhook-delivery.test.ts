import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HookReceiver, startHookReceiver } from '../../support/portal/hook-receiver.ts'
import { makePortalClock, type PortalClock, wakeFor } from '../../support/portal/portal-clock.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeCustomer } from '../../support/portal/world.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

/** It stands: without being moved, this process delivers nothing. */
const clock = makePortalClock()
let portal: TestPortal
let main: Side
let receiver: HookReceiver
const children: ChildProcess[] = []

/** A portal, its administrator and its clock. */
type Side = { readonly at: TestPortal; readonly admin: string; readonly clock: PortalClock }
async function makeSide(
  clock: PortalClock,
  webhooks: NonNullable<Parameters<typeof makeTestPortal>[0]>['webhooks'],
): Promise<Side> {
  const at = await makeTestPortal({ clock, webhooks })
  return { at, clock, admin: (await makeCustomer(at)).admin }
}

beforeAll(async () => {
  receiver = await startHookReceiver()
  main = await makeSide(clock, { targets: 'any' })
  portal = main.at
})
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.answer = (response) => response.writeHead(204).end()
})
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
})

const ask = (
  path: string,
  body?: object,
  method = body === undefined ? 'GET' : 'POST',
  { at, admin }: Side = main,
) => at.ask({ path, as: admin, method, ...(body === undefined ? {} : { body }) })
const make = async (url = receiver.url, side = main): Promise<string> => {
  const made = await ask('/webhooks', { url, events: ['offer.sent'] }, 'POST', side)
  expect(made.status, made.text).toBe(201)
  return `/webhooks/${made.body.webhook.id}`
}
const test = async (path: string, side = main): Promise<string> =>
  (await ask(`${path}/test`, undefined, 'POST', side)).body.id
const stateOf = async (path: string, id: string) =>
  (await ask(`${path}/messages/${id}`)).body.message.state
const attemptsOf = async (path: string, side = main) =>
  (await ask(`${path}/attempts?limit=200`, undefined, 'GET', side)).body.data
const cameFor = (id: string) => receiver.got.filter((it) => it.headers['webhook-id'] === id)
/** One attempt of a message by this process. */
const tryOnce = (path: string, id: string, side = main) =>
  waitUntil(`${id} was tried`, async () => {
    const attempts: { messageId: string }[] = await attemptsOf(path, side)
    const found = attempts.find(({ messageId }) => messageId === id)
    if (found !== undefined) return found
    const { body } = await ask(`${path}/messages/${id}`, undefined, 'GET', side)
    const { state, nextAttemptAt: next } = body.message
    wakeFor([{ state, nextMs: next === null ? null : Date.parse(next) }], side.clock)
    return undefined
  })

async function startProcess(): Promise<ChildProcess> {
  const script = 'test/support/portal/bare-portal-process.ts'
  const words = ['--import', 'tsx', script, ...portal.processArguments]
  const env = { ...process.env, LOGEYE_TEST_DATE: new Date(clock.nowMs()).toISOString() }
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env })
  children.push(child)
  let said = ''
  child.stdout?.on('data', (part: Buffer) => {
    said += String(part)
  })
  await waitUntil('the process is ready', () => said.includes('ready') || hasEnded(child))
  return child
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

describe('several processes', () => {
  it('deliver each message once', async () => {
    const path = await make()
    const ids: string[] = []
    for (let count = 0; count < 40; count += 1) ids.push(await test(path))
    await Promise.all([startProcess(), startProcess()])
    const list = () => ask(`${path}/messages?state=delivered&limit=200`)
    await waitUntil(
      'all are delivered',
      async () => (await list()).body.data.length === ids.length,
      async () => (await list()).body.data.length,
    )
    const came = ids.map((id) => cameFor(id).length)
    expect(came).toEqual(ids.map(() => 1))
    await ask(path, undefined, 'DELETE')
  })

  it('lose nothing when one is killed between delivery and note', async () => {
    const path = await make()
    const id = await test(path)
    receiver.answer = (response) => {
      children[0]?.kill('SIGKILL')
      response.writeHead(204).end()
    }
    const child = await startProcess()
    await waitUntil('the process has ended', () => hasEnded(child))
    expect([cameFor(id).length, await stateOf(path, id)]).toEqual([1, 'pending'])
    expect(await attemptsOf(path)).toEqual([])
    receiver.answer = (response) => response.writeHead(204).end()
    // Its claim ends.
    const { nextAttemptAt } = (await ask(`${path}/messages/${id}`)).body.message
    clock.advance(Date.parse(nextAttemptAt) - clock.nowMs())
    await tryOnce(path, id)
    const [first, second, ...more] = cameFor(id)
    expect([second?.body, more]).toEqual([first?.body, []])
    expect(await stateOf(path, id)).toBe('delivered')
    await ask(path, undefined, 'DELETE')
  })
})

describe('a receiver that misbehaves', () => {
  const failing = async (answer: HookReceiver['answer'], wanted: object, side = main) => {
    const path = await make(receiver.url, side)
    receiver.answer = answer
    const id = await test(path, side)
    expect(await tryOnce(path, id, side)).toMatchObject(wanted)
    await ask(path, undefined, 'DELETE', side)
    return id
  }

  it('by redirects is not followed', async () => {
    const id = await failing(
      (response) => response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end(),
      { status: 302, failure: 'it answers with the status 302' },
    )
    expect(cameFor(id).map(({ path }) => path)).toEqual(['/hook'])
    expect(receiver.got.map(({ path }) => path)).not.toContain('/hook/elsewhere')
  })

  it('by endless answers is read for the first kilobyte', async () => {
    await failing(
      (response) => {
        response.on('error', () => {})
        const more = () => {
          while (response.write('é'.repeat(30_000)));
          response.once('drain', more)
        }
        more()
      },
      { status: 200, failure: null, answer: 'é'.repeat(512) },
    )
  })

  it('by silence, and by an answer that never ends, is left in time', async () => {
    const late = { status: null, failure: 'no answer in time' }
    const impatient = await makeSide(makePortalClock(), { targets: 'any', timeLimitMs: 100 })
    await failing(() => {}, late, impatient)
    await failing((response) => response.writeHead(200).write('x'), late, impatient)
  })

  it('by bytes that are no text is told as far as a database takes them', async () => {
    await failing((response) => response.writeHead(500).end(Buffer.from([0, 104, 105, 255, 0])), {
      answer: '\ufffdhi\ufffd\ufffd',
    })
  })

  it('by no HTTP at all is told so', async () => {
    await failing((response) => response.socket?.end('220 mail.test ESMTP\r\n'), {
      ...{ status: null, failure: 'it does not speak HTTP as it should' },
    })
  })

  it('holds up its own messages alone', async () => {
    const slow = await make(`${receiver.url}/slow`)
    const quick = await make()
    receiver.answer = (response, { path }) => {
      if (path === '/hook') response.writeHead(204).end()
    }
    const ids: string[] = []
    for (let count = 0; count < 20; count += 1) ids.push(await test(slow))
    const id = await test(quick)
    expect(await tryOnce(quick, id)).toMatchObject({ status: 204 })
    // In their order all the others would have come before.
    const at = receiver.got.findIndex(({ headers }) => headers['webhook-id'] === id)
    const before = receiver.got.slice(0, at).filter(({ path }) => path === '/hook/slow')
    expect(before.length).toBeLessThan(20)
    for (const path of [slow, quick]) await ask(path, undefined, 'DELETE')
  })
})

describe('an address', () => {
  const REFUSED = [
    ...['http://hooks.example.com/', 'ftp://hooks.example.com/', 'javascript:alert(1)', 'hook'],
    ...['https://user:pass@hooks.example.com/', 'https://user@hooks.example.com/'],
    ...['https://hooks.example.com/#part', 'https://hooks.example.com/#'],
    ...['https://hooks.example.com/\r\nhost: inner', 'https://hooks.example.com/a b'],
    ...['https://hooks.example.com\\@127.0.0.1/', 'https://hooks.exa\tmple.com/', 'https://'],
    ...['https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0177.0.0.1/'],
    ...['https://0x7f.0.0.1/', 'https://0/', 'https://10.0.0.1/', 'https://192.168.0.1:8443/x'],
    ...['https://169.254.169.254/latest/meta-data', 'https://100.64.1.1/', 'https://172.20.0.1/'],
    ...['https://[::1]/', 'https://[::]/', 'https://[::ffff:127.0.0.1]/', 'https://[fe80::1]/'],
    ...['https://[fd00:ec2::254]/', 'https://[64:ff9b::7f00:1]/', 'https://[2002:7f00:1::]/'],
    ...['https://①②⑦.⓪.⓪.①/', 'https://127.0.0.1./', 'https://%31%32%37.0.0.1/'],
  ]

  let strict: Side
  beforeAll(async () => {
    strict = await makeSide(makePortalClock(), { targets: 'public', timeLimitMs: 2000 })
  })

  it('that leads inside, or holds what an address may not, is refused at once', async () => {
    const post = (url: string) => ask('/webhooks', { url, events: ['offer.sent'] }, 'POST', strict)
    for (const url of REFUSED) {
      strict.clock.advance(1000)
      const { status, body } = await post(url)
      expect([status, body.errors?.[0]?.pointer], url).toEqual([400, '/url'])
    }
    const made = await post('https://hooks.example.com:8443/in?of=logeye')
    expect([made.status, made.body.webhook.url]).toEqual([
      201,
      'https://hooks.example.com:8443/in?of=logeye',
    ])
    const path = `/webhooks/${made.body.webhook.id}`
    const inside = { url: 'https://127.0.0.1/' }
    expect((await ask(path, inside, 'PATCH', strict)).status).toBe(400)
  })

  it('whose name leads inside is never connected to', async () => {
    const before = receiver.got.length
    const url = receiver.url.replace('http://127.0.0.1', 'https://localhost')
    const path = await make(url, strict)
    const id = await test(path, strict)
    expect(await tryOnce(path, id, strict)).toMatchObject({
      ...{ status: null, answer: '' },
      // Late where this machine has no name service.
      failure: expect.stringMatching(/^(it is no address of the public|no answer in time)/),
    })
    expect(receiver.got).toHaveLength(before)
  })

  it('is one of twenty at most', async () => {
    const { body: there } = await ask('/webhooks?limit=200')
    const made: string[] = []
    for (let count = there.data.length; count < 20; count += 1) made.push(await make())
    const refused = await ask('/webhooks', { url: receiver.url, events: ['offer.sent'] })
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many'])
    for (const path of made) await ask(path, undefined, 'DELETE')
  })
})
