// docs/guides/forwarding/forward.md, followed word for word: what a syslog server, another Logeye
// and Kafka have got, with the other side away at times and all killed.
import { createSocket, type Socket as Datagrams } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type FollowedBlock, followGuide } from '../../support/guides/follow-guide.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { patient } from '../../support/run/patience.ts'

const TEST_MS = 300_000
/** Whole seconds: what a time of RFC 5424 may be cut to. */
const beganMs = Math.floor(Date.now() / 1000) * 1000
const METRICS_MS = 5000
const directory = mkdtempSync(join(tmpdir(), 'logeye-test-forward-'))
const environment = { LOGEYE_ROLES: 'listener,query,writer,scheduler,store' }
const dataDir = join(directory, 'data')
/** Before the test's own limit, so that what was there instead is said. */
const soon = { timeout: patient(20_000), interval: 300 }

let product: Product
let other: Product
let syslog: SyslogServer
let blocks: readonly FollowedBlock[]
beforeAll(async () => {
  syslog = await startSyslog()
  ;[product, other] = await Promise.all([
    startProduct({ dataDir, environment }),
    startProduct({ dataDir: join(directory, 'other'), environment }),
  ])
  blocks = await followGuide('forwarding/forward.md', {
    ...{ url: product.url, password: product.secrets.password, directory },
    environment: {
      SYSLOG: `127.0.0.1:${syslog.port}`,
      OTHER: `${other.url}/logeye`,
      OTHER_TOKEN: other.secrets.token,
    },
  })
}, TEST_MS)
afterAll(async () => {
  await product?.stop()
  await other?.stop()
  syslog?.server.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the guide of forwarding', () => {
  beforeEach(() => onTestFailed(tellProduct))

  it('prints no failure, and says that events leave', () => {
    for (const { commands, printed } of blocks)
      expect(printed, commands).not.toMatch(/command not found|logeye-sdk: |^[45]\d\d$/m)
    expect(blocks.map(({ printed }) => printed).join('')).toContain('LEAVES the product')
  })

  it('gives a syslog server whole messages of RFC 5424', { timeout: TEST_MS }, async () => {
    await expect.poll(() => syslog.messages.length, soon).toBeGreaterThan(0)
    expect(syslog.messages).toHaveLength(1)
    expect(syslog.faults).toEqual([])
    const [, stamp = '', host, application, text = ''] =
      /^<14>1 (\S+) (\S+) (\S+) - - - (.*)$/s.exec(syslog.messages[0] ?? '') ?? []
    expect([host, application]).toEqual(['web-01', 'Events->shop'])
    // The time of the event, which was sent in this test.
    expect(Date.parse(stamp)).toBeGreaterThanOrEqual(beganMs)
    expect(Date.parse(stamp)).toBeLessThanOrEqual(Date.now())
    expect(JSON.parse(text)).toEqual({ message: 'payment of 12 taken', level: 'INFO' })
  })

  it('gives another Logeye each event once, with host and columns', {
    timeout: TEST_MS,
  }, async () => {
    const { search } = makeSearchClient(other.url, other.secrets.password)
    const found = async () => {
      const { state, message, rows } = await search('till = 7 | list host, message')
      expect(message).toBe('')
      expect(state).toBe('OK')
      return rows.slice(1)
    }
    await expect
      .poll(async () => (await found()).toSorted(), soon)
      .toEqual([
        ['web-01', 'till 7 closed'],
        ['web-01', 'till 7 opened'],
      ])
  })

  it('sends on what came while the server was away and all was killed', {
    timeout: TEST_MS,
  }, async () => {
    const before = syslog.messages.length
    await syslog.stop()
    const post = async (token: string, [first, end]: readonly [number, number]) => {
      for (let number = first; number < end; number += 1) {
        const body = JSON.stringify({ message: `away ${number}\nsecond line`, number })
        const url = `${product.url}/logeye/api/logger.jsp?token=${token}`
        expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
      }
    }
    const away = await makeToken()
    await post(away, [0, 10])
    await expect.poll(readMetrics, soon).toMatch(isFailing('away'))
    // Its lease lasts some seconds: nobody looks at the new policy before all is killed.
    for (const { pid, role } of product.processes())
      if (role === 'work') process.kill(pid, 'SIGKILL')
    const late = await makeToken('late')
    await post(late, [10, 20])
    await post(away, [20, 30])
    await product.killAll()
    const { port, secrets } = product
    product = await startProduct({ dataDir, environment, port, secrets })
    await post(late, [30, 40])
    await post(away, [40, 60])
    await syslog.start()
    const numbersOf = (log: string) => {
      const found = syslog.messages.slice(before).filter((text) => text.includes(`->${log} `))
      return [...new Set(found.map((text) => Number(/"number":(\d+)/.exec(text)?.[1])))]
    }
    const all = Array.from({ length: 60 }, (_, number) => number)
    const isLate = (number: number) => [1, 3].includes(Math.floor(number / 10))
    await expect
      .poll(() => [numbersOf('away'), numbersOf('late')], { ...soon, timeout: TEST_MS - 60_000 })
      .toEqual([all.filter((it) => !isLate(it)), all.filter(isLate)])
    expect(syslog.faults).toEqual([])
  })

  it('sends datagrams, and refuses addresses of clouds', { timeout: TEST_MS }, async () => {
    const datagrams = await startDatagrams()
    try {
      const { port } = datagrams.socket.address()
      const token = await makeToken('datagrams', `udp://127.0.0.1:${port}`)
      const refused = await makeToken('refused', 'http://169.254.169.254/latest')
      for (const one of [token, refused])
        await fetch(`${product.url}/logeye/api/logger.jsp?token=${one}`, {
          ...{ method: 'POST', body: '{"message":"by datagram"}' },
        })
      await expect.poll(() => datagrams.got.join('\n'), soon).toContain('by datagram')
      await expect.poll(readMetrics, soon).toMatch(isFailing('refused'))
    } finally {
      datagrams.socket.close()
    }
  })
})

/** What is not there says nothing of why. */
async function tellProduct(): Promise<void> {
  const metrics = await readMetrics().catch((error: unknown) => `not read: ${error}`)
  const told = metrics.split('\n').filter((line) => /^(logeye_forward|not read)/.test(line))
  console.error([...told, product.output()].join('\n'))
}

async function readMetrics(): Promise<string> {
  const answer = await fetch(`${product.url}/metrics`, { signal: AbortSignal.timeout(METRICS_MS) })
  return await answer.text()
}

function isFailing(policy: string): RegExp {
  return new RegExp(`logeye_forward_failing\\{[^}]*policy="${policy}"[^}]*\\} 1`)
}

/** Of a listener account whose policy sends on. */
async function makeToken(name = 'away', forwardTo = `tcp://127.0.0.1:${syslog.port}`) {
  const operator = { url: product.url, password: product.secrets.password }
  const policy = await callSdk(operator, 'addCollectionPolicy', { name, forwardTo })
  expect(policy).toMatchObject({ success: true })
  const made = await callSdk(operator, 'addListener', { name, collectionPolicy: name })
  return String(Reflect.get(Object(Reflect.get(Object(made), 'response')), 'token'))
}

type SyslogServer = {
  readonly port: number
  readonly messages: string[]
  /** What came where a length was to stand. */
  readonly faults: string[]
  readonly server: Server
  stop(): Promise<void>
  start(): Promise<void>
}

/** Reads messages framed by their length (RFC 6587, 3.4.1). */
async function startSyslog(): Promise<SyslogServer> {
  const messages: string[] = []
  const faults: string[] = []
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, part])
      for (;;) {
        const space = bytes.indexOf(0x20)
        if (space < 0) return
        const frame = bytes.subarray(0, space).toString()
        if (!/^[1-9]\d*$/.test(frame)) {
          faults.push(frame)
          socket.destroy()
          return
        }
        const length = Number(frame)
        if (bytes.length < space + 1 + length) return
        messages.push(bytes.subarray(space + 1, space + 1 + length).toString())
        bytes = bytes.subarray(space + 1 + length)
      }
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = addressOf(server)
  return {
    ...{ port, messages, faults, server },
    stop: async () => {
      server.close()
      await once(server, 'close')
    },
    start: () => listen(port),
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return address
}

async function startDatagrams(): Promise<{ readonly socket: Datagrams; readonly got: string[] }> {
  const got: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (bytes) => got.push(bytes.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { socket, got }
}
