// Files and objects that are written while a campaign strikes: of this machine, of another one by
// SSH behind a line that breaks, and of a bucket. After each round every line is there once, and
// in order where files have one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { makeSearchClient } from '../../../../test/support/clients/search-client.ts'
import { startTcpProxy, type TcpProxy } from '../../../../test/support/network/tcp-proxy.ts'
import { s3Missing, startS3Server } from '../../../../test/support/remote/s3-server.ts'
import { sshMissing, startSshServer } from '../../../../test/support/remote/ssh-server.ts'
import type { Finding } from '../../campaign/finding.ts'
import { exportRaws } from '../../campaign/read-back.ts'
import type { Keeper, Random } from '../../campaign/target.ts'
import { type Called, connected, must } from '../ask-product.ts'
import { FileWriter } from './file-writer.ts'
import { ObjectWriter } from './object-writer.ts'
import type { Writer } from './writer.ts'

const LEAST_PAUSE_MS = 50
const PAUSE_MS = 500
const LINE_FAULT_EVERY = 60
const LINE_AWAY_MS = 6000
/** A bucket is listed each ten seconds; what nobody answers is given up after some twenty. */
const UNCHANGED_MS = 60_000
const LIMIT_MS = 300_000
const POLL_MS = 500
const SEPARATOR = '@#@#'
const numbered = z.object({ number: z.number() })

type Options = Called & { readonly random: Random; readonly say: (text: string) => void }
type Closer = () => unknown

export async function collectFiles(options: Options): Promise<Keeper> {
  const { random, say } = options
  const closers: Closer[] = []
  const writers: Writer[] = []
  let line: TcpProxy | undefined
  try {
    const root = mkdtempSync(join(tmpdir(), 'logeye-campaign-files-'))
    closers.push(() => rmSync(root, { recursive: true, force: true }))
    const own = { directory: join(root, 'own'), mayCopy: true, random }
    const local = new FileWriter('collected-local', own)
    await addLog(options, local)
    writers.push(local)
    const [ssh, s3] = [sshMissing(), s3Missing()]
    if (ssh !== undefined) say(`not tried: ${ssh}`)
    else {
      const far = { directory: join(root, 'far'), mayCopy: false, random }
      const remote = new FileWriter('collected-ssh', far)
      line = await addSshAccount(options, closers)
      await addLog(options, remote, 'campaign-ssh')
      writers.push(remote)
    }
    if (s3 !== undefined) say(`not tried: ${s3}`)
    else {
      const target = await addBucket(options, closers)
      const objects = new ObjectWriter('collected-s3', { target, random })
      closers.push(() => objects.close())
      await addLog(options, objects, 'campaign-s3')
      writers.push(objects)
    }
  } catch (error) {
    await closeAll(closers)
    throw error
  }
  return new FilesKeeper(options, { writers, line, closers })
}

class FilesKeeper implements Keeper {
  readonly #options: Options
  readonly #of: {
    readonly writers: readonly Writer[]
    readonly line: TcpProxy | undefined
    readonly closers: Closer[]
  }
  #isHeld = true
  /** Nothing waits to be read. */
  #isWhole = true
  #working: Promise<void> = Promise.resolve()

  constructor(
    options: Options,
    of: { writers: readonly Writer[]; line: TcpProxy | undefined; closers: Closer[] },
  ) {
    this.#options = options
    this.#of = of
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#working = this.#work()
    // Told by the next hold.
    this.#working.catch(() => undefined)
  }

  async hold(limitMs: number): Promise<void> {
    this.#isHeld = true
    const late = sleep(limitMs).then(() => {
      throw new Error('files are still being written')
    })
    await Promise.race([this.#working, late])
  }

  async end(): Promise<void> {
    this.#isHeld = true
    await this.#working.catch(() => undefined)
    await closeAll(this.#of.closers)
  }

  async check() {
    const findings: Finding[] = []
    const told: string[] = []
    for (const writer of this.#of.writers) {
      await this.#untilCollected(writer)
      const found = await this.#numbersOf(writer)
      findings.push(...compareLines(writer, found))
      told.push(`${found.length} of ${writer.name}`)
    }
    this.#isWhole = findings.length === 0
    return { findings, gone: 0, told: `lines: ${told.join(', ')}` }
  }

  async #work(): Promise<void> {
    const { random } = this.#options
    const { writers, line } = this.#of
    if (this.#isWhole) for (const writer of writers) await writer.change()
    this.#isWhole = false
    while (!this.#isHeld) {
      const writer = writers[random(writers.length)]
      await writer?.turn()
      if (line !== undefined && random(LINE_FAULT_EVERY) === 0) await this.#breakLine(line)
      await sleep(LEAST_PAUSE_MS + random(PAUSE_MS))
    }
  }

  /** Cut off, or half open: nobody answers any more. Files are written meanwhile. */
  async #breakLine(line: TcpProxy): Promise<void> {
    const { random } = this.#options
    if (random(2) === 0) line.freeze()
    else await line.cut()
    for (const endMs = performance.now() + LINE_AWAY_MS; performance.now() < endMs; ) {
      for (const writer of this.#of.writers) await writer.turn()
      await sleep(PAUSE_MS)
    }
    await line.cut()
    await line.open()
  }

  /** What does not come for a while is lost. */
  async #untilCollected({ name, lines }: Writer): Promise<void> {
    const { url, password } = this.#options
    const { count } = makeSearchClient(url, password)
    const beganMs = performance.now()
    let [last, sinceMs] = [-1, beganMs]
    while (last < lines && performance.now() - sinceMs < UNCHANGED_MS) {
      if (performance.now() - beganMs > LIMIT_MS) return
      const there = await connected(() => count(`* in log.${name}`))
      if (there !== last) [last, sinceMs] = [there, performance.now()]
      else await sleep(POLL_MS)
    }
  }

  async #numbersOf({ name }: Writer): Promise<number[]> {
    const { url, password } = this.#options
    const reader = { url, password, search: makeSearchClient(url, password) }
    const query = `* in log.${name} | order by timestamp`
    const raws = await connected(() => exportRaws(reader, query))
    return raws.map((raw) => numbered.parse(JSON.parse(raw)).number)
  }
}

function compareLines({ name, lines, isOrdered }: Writer, found: readonly number[]): Finding[] {
  const findings: Finding[] = []
  const times = new Uint32Array(lines)
  let before = -1
  for (const number of found) {
    if (number >= lines) findings.push({ kind: 'foreign', host: name, text: `line ${number}` })
    else times[number] = (times[number] ?? 0) + 1
    if (isOrdered && number < before)
      findings.push({ kind: 'disordered', host: name, text: `${number} behind ${before}` })
    before = number
  }
  for (const [number, count] of times.entries()) {
    if (count === 0) findings.push({ kind: 'lost', host: name, number })
    for (let more = 1; more < count; more += 1)
      findings.push({ kind: 'doubled', host: name, number })
  }
  return findings
}

async function addLog(
  target: Called,
  writer: Writer & { readonly patterns: readonly string[] },
  account = '',
): Promise<void> {
  await must(target, 'addLog', {
    ...{ name: writer.name, filePaths: writer.patterns.join(SEPARATOR) },
    ...(account === '' ? {} : { account }),
  })
}

async function addSshAccount(target: Called, closers: Closer[]): Promise<TcpProxy> {
  const server = await startSshServer()
  closers.push(() => server.stop())
  const line = await startTcpProxy(server.port)
  closers.push(() => line.cut())
  const { userName, hostKey, privateKey } = server
  await must(target, 'addSSHAccount', {
    ...{ name: 'campaign-ssh', host: '127.0.0.1', port: String(line.port), userName, hostKey },
    privateKeyFile: privateKey,
  })
  return line
}

async function addBucket(target: Called, closers: Closer[]) {
  const server = await startS3Server()
  closers.push(() => server.stop())
  const { endpoint, bucket, accessKey, secretKey } = server
  const settings = { endpoint, bucket, accessKey, secretKey, region: 'us-east-1' }
  await must(target, 'addExternalAccount', { name: 'campaign-s3', type: 's3', ...settings })
  return settings
}

async function closeAll(closers: Closer[]): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}
