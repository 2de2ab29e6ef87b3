// Files that are told by their paths alone, as by SFTP, while they are renamed and the connection
// breaks between one question and the next: lines stay in their order.
import { expect, it } from 'vitest'
import { RemoteFault } from '../../../../infra/outbound/remote-fault.ts'
import { findFiles } from '../../../../ingest/collect/find-files.ts'
import { findPending } from '../../../../ingest/collect/find-pending.ts'
import { parsePathPattern } from '../../../../ingest/collect/path-pattern.ts'
import type { FileSource } from '../../../../ingest/collect/sources/file-source.ts'
import { followFiles } from '../../../support/collect/follow-files.ts'

type Content = { text: string; second: number }

/** Another machine: each question may have something happen before its answer. */
class FarMachine {
  readonly files = new Map<string, Content>()
  /** Called once, before the answer to the first such question. */
  before: { readonly question: RegExp; happen(): void } | undefined
  #lines = 0

  write(count: number): void {
    const file = this.files.get('/app.log') ?? { text: '', second: 0 }
    for (let i = 0; i < count; i += 1) {
      this.#lines += 1
      file.text += `line ${String(this.#lines).padStart(6, '0')} of the far file, as long as it is\n`
    }
    file.second = this.#lines
    this.files.set('/app.log', file)
  }

  rotate(to: string): void {
    const file = this.files.get('/app.log')
    if (file !== undefined) this.files.set(to, file)
    this.files.set('/app.log', { text: '', second: this.#lines })
  }

  /** Names first, then a look at each, as sftp-server does. */
  source(): FileSource {
    const seen = (path: string) => {
      const { text, second } = this.#find(path)
      const facts = { place: path, size: text.length, changedMs: second * 1000 }
      return { ...facts, isFile: true, isDirectory: false }
    }
    const source: FileSource = {
      ...{ lookEveryMs: 0, identity: 'path', mayGoOn: () => true },
      list: async () => {
        const names = [...this.files.keys()].sort()
        this.#ask('list')
        return names
          .filter((path) => this.files.has(path))
          .map((path) => ({
            ...{ name: path.slice(1), seen: seen(path) },
            ...{ isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false },
          }))
      },
      stat: async (path) => seen(path),
      find: (patterns) => findFiles(patterns, source),
      open: async (path) => {
        this.#ask(`open ${path}`)
        const content = this.#find(path)
        return {
          read: async (buffer, offset, length, position) => {
            this.#ask(`read ${path}`)
            const bytes = Buffer.from(content.text).subarray(position, position + length)
            return { bytesRead: bytes.copy(buffer, offset) }
          },
          look: async () => ({
            ...{ place: path, size: content.text.length, changedMs: content.second * 1000 },
          }),
          close: async () => undefined,
        }
      },
      findPlace: async (_, place) => (this.files.has(place) ? place : undefined),
      close: async () => undefined,
    }
    return source
  }

  #ask(question: string): void {
    const { before } = this
    if (before?.question.test(question) !== true) return
    this.before = undefined
    before.happen()
  }

  #find(path: string): Content {
    const content = this.files.get(path)
    if (content === undefined) throw Object.assign(new Error('not there'), { code: 'ENOENT' })
    return content
  }
}

const PATTERNS = [parsePathPattern('/app.log*')]

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const breaks = () => {
  throw new RemoteFault('the connection was cut off')
}

async function begin() {
  const machine = new FarMachine()
  const followed = followFiles(machine.source(), PATTERNS)
  machine.write(5)
  await followed.look()
  return { machine, ...followed }
}

it('reads on first what got another name while names were listed', async () => {
  const { machine, look, read } = await begin()
  machine.write(2)
  machine.before = {
    question: /^list/,
    happen: () => {
      machine.rotate('/app.log-01')
      machine.write(1)
    },
  }
  await look()
  await look()
  expect(read).toEqual(upTo(8))
})

it('reads first what got another name between its listing and its opening', async () => {
  const { machine, look, read } = await begin()
  machine.rotate('/app.log-01')
  machine.write(2)
  machine.before = {
    question: /^open .*app.log$/,
    happen: () => {
      machine.rotate('/app.log-02')
      machine.write(1)
    },
  }
  await look()
  await look()
  expect(read).toEqual(upTo(8))
})

it.each([
  ['opened', /^open .*-01/],
  ['read', /^read .*-01/],
])('reads nothing newer when the connection breaks where a file is %s', async (_, question) => {
  const { machine, look, read } = await begin()
  for (let breaksAt = 0; breaksAt < 8; breaksAt += 1) {
    const name = `/app.log-01${breaksAt}`
    const before = read.length
    machine.write(2)
    machine.rotate(name)
    machine.write(1)
    let asked = 0
    const strike = { question, happen: () => (asked++ === breaksAt ? breaks() : again()) }
    const again = () => {
      machine.before = strike
    }
    again()
    await look()
    await look()
    machine.before = undefined
    await look()
    expect(read).toEqual(upTo(before + 3))
  }
})

it('says of no bytes that they are gone when the connection breaks', async () => {
  const { machine, look, files } = await begin()
  await look()
  const [tail] = files.tails
  if (tail === undefined) throw new Error('nothing is read')
  const { position } = tail.file
  tail.file.pending = {
    ...{ to: position + 100, version: 1, receivedMs: 0, partition: 0, number: 0, events: 1 },
    hash: 'of bytes in the copy',
  }
  machine.write(5)
  machine.rotate('/app.log-01')
  machine.before = { question: /^read .*-01/, happen: breaks }
  await expect(findPending(machine.source(), tail, PATTERNS)).rejects.toThrow(RemoteFault)
})
