// What every place of objects promises: a folder, and a bucket of an S3 server.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findObjectsUrlFault } from '../../../infra/objects/objects-url.ts'
import { openObjects } from '../../../infra/objects/open.ts'
import type { ObjectStore } from '../../../infra/objects/port.ts'
import { type S3Server, s3Missing, startS3Server } from '../../support/remote/s3-server.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'logeye-objects-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** As files and servers of this machine have it. */
function machineMs(): number {
  const file = join(newFolder(), 'now')
  writeFileSync(file, '')
  return statSync(file).mtimeMs
}

async function* give(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}
const read = async (stream: ReadableStream<Uint8Array>): Promise<Buffer> =>
  Buffer.from(await new Response(stream).arrayBuffer())
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { code?: string }) => error.code,
  )

function describeStore(title: string, open: () => Promise<ObjectStore>): void {
  describe(title, () => {
    let store: ObjectStore
    beforeAll(async () => {
      store = await open()
    })

    it('gives back what was put, whole and in part, and replaces it', async () => {
      const bytes = Buffer.alloc(3_000_001, 'abcdefg')
      const pieces = Array.from({ length: 4 }, (_, at) => bytes.subarray(at * 1e6, (at + 1) * 1e6))
      const beforeMs = machineMs()
      const seen = await store.put('files/one/a-1.bin', give(...pieces))
      expect(seen).toMatchObject({ key: 'files/one/a-1.bin', bytes: bytes.length })
      const hash = (text: Buffer) => createHash('sha256').update(text).digest('hex')
      expect(hash(await read(await store.get('files/one/a-1.bin')))).toBe(hash(bytes))
      for (const [from, to] of [
        [0, 1],
        [5, 12],
        [bytes.length - 3, bytes.length],
        [0, bytes.length],
        [999_999, 2_100_000],
      ] as const) {
        const part = await read(await store.get('files/one/a-1.bin', { from, to }))
        expect(part.equals(bytes.subarray(from, to)), `${from} ${to}`).toBe(true)
      }
      const head = await store.head('files/one/a-1.bin')
      expect(head?.bytes).toBe(bytes.length)
      // Servers say it in whole seconds.
      expect(head?.modifiedMs).toBeGreaterThanOrEqual(Math.floor(beforeMs / 1000) * 1000)
      expect(head?.modifiedMs).toBeLessThanOrEqual(machineMs())
      await store.put('files/one/a-1.bin', give('new'))
      expect(String(await read(await store.get('files/one/a-1.bin')))).toBe('new')
    })

    it('keeps an empty one, and says of one that is not there that it is not', async () => {
      await store.put('empty', give())
      expect((await store.head('empty'))?.bytes).toBe(0)
      expect(String(await read(await store.get('empty')))).toBe('')
      for (const key of ['nothing', 'empty/below', 'files/one', 'files/two/x']) {
        expect(await store.head(key), key).toBeUndefined()
        expect(await codeOf(store.get(key)), key).toBe('object_store.missing')
        await store.delete(key)
      }
      await store.delete('empty')
      expect(await store.head('empty')).toBeUndefined()
      await store.delete('empty')
    })

    it('keeps nothing of a source that fails, and throws what it threw', async () => {
      await store.put('kept', give('before'))
      async function* fail(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(100_000)
        throw new TypeError('planted')
      }
      await expect(store.put('kept', fail())).rejects.toThrow('planted')
      await expect(store.put('fresh/key', fail())).rejects.toThrow(TypeError)
      expect(String(await read(await store.get('kept')))).toBe('before')
      expect(await store.head('fresh/key')).toBeUndefined()
      expect(await store.list('fresh/', { limit: 10 })).toEqual([])
    })

    it('lists by key, page by page', async () => {
      const keys = [
        'l/a',
        'l/a-b',
        'l/a.b',
        'l/a/b',
        'l/a0',
        'l/b/c/d',
        'l/b/c-1',
        'l/z',
        'l-',
        'm',
      ]
      // A name is a file or a folder; of a bucket both may be there.
      const wanted = keys.filter((key) => key !== 'l/a')
      for (const key of wanted.toReversed()) await store.put(key, give(key))
      const inside = wanted.filter((key) => key.startsWith('l/')).sort()
      for (const limit of [1, 2, 3, 100]) {
        const seen: string[] = []
        for (let after = ''; ; ) {
          const page = await store.list('l/', { limit, ...(after === '' ? {} : { after }) })
          if (page.length === 0) break
          expect(page.length).toBeLessThanOrEqual(limit)
          seen.push(...page.map(({ key }) => key))
          after = seen.at(-1) ?? ''
        }
        expect(seen, `limit ${limit}`).toEqual(inside)
      }
      const [first] = await store.list('l/b/', { limit: 1 })
      expect(first).toMatchObject({ key: 'l/b/c-1', bytes: 7 })
      expect((await store.list('l/b/c', { limit: 9 })).length).toBe(2)
      expect(await store.list('x', { limit: 9 })).toEqual([])
    })

    it('takes no key that leads elsewhere', async () => {
      for (const key of ['', '/', '../x', 'a/../b', 'a//b', '/a', 'a/', '.hidden', 'A', 'a b', 'ä'])
        for (const call of [
          () => store.put(key, give('x')),
          () => store.get(key),
          () => store.head(key),
          () => store.delete(key),
        ])
          await expect((async () => await call())(), key).rejects.toThrow(RangeError)
    })

    it('holds many at once, and a put is whole or not there', async () => {
      const put = (at: number) => store.put('race', give(Buffer.alloc(200_000, at)))
      await Promise.all(Array.from({ length: 8 }, (_, at) => put(at)))
      const bytes = await read(await store.get('race'))
      expect(bytes.length).toBe(200_000)
      expect(new Set(bytes).size).toBe(1)
    })

    it('reads nothing on after a cancel', async () => {
      await store.put('large', give(Buffer.alloc(5_000_000)))
      const reader = (await store.get('large')).getReader()
      expect((await reader.read()).value?.length).toBeGreaterThan(0)
      await reader.cancel()
      await store.delete('large')
    })
  })
}

const plain = newFolder()
describeStore('objects in a folder', () =>
  openObjects({ url: undefined, folder: plain, clock: testClock }),
)

it('in a folder are files, beside what was left behind and is removed after a day', async () => {
  const folder = newFolder()
  const url = `file://${folder}/by-url`
  const first = await openObjects({ url, folder, clock: testClock })
  await first.put('a/b', give('x'))
  const left = join(folder, 'by-url/.incoming/left')
  writeFileSync(left, 'half')
  const names = () => readdirSync(join(folder, 'by-url/.incoming'))
  await openObjects({ url, folder, clock: testClock })
  expect(names()).toEqual(['left'])
  utimesSync(left, 1, 1)
  const again = await openObjects({ url, folder, clock: testClock })
  expect(names()).toEqual([])
  expect((await again.list('', { limit: 10 })).map(({ key }) => key)).toEqual(['a/b'])
})

describeUnless(s3Missing(), 'with an S3 server', () => {
  let server: S3Server
  const urlOf = ({ endpoint, bucket, accessKey, secretKey }: S3Server, prefix = '') =>
    `s3://${accessKey}:${encodeURIComponent(secretKey)}@${bucket}/${prefix}?endpoint=${endpoint}`
  const openAt = (url: string) => openObjects({ url, folder: newFolder(), clock: testClock })
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.stop())

  describeStore('objects in a bucket', () => openAt(urlOf(server)))
  describeStore('objects below a prefix of it', () => openAt(urlOf(server, 'portal/one')))

  it('refuses a wrong secret and an unknown bucket, and tells neither', async () => {
    const wrong = await openAt(urlOf({ ...server, secretKey: 'wrong' }))
    const failed = await wrong.put('a', give('x')).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'object_store.refused' })
    expect(JSON.stringify([failed, String(failed)])).not.toContain('wrong')
    const nowhere = await openAt(urlOf({ ...server, bucket: 'no-such' }))
    expect(await codeOf(nowhere.get('a'))).toBe('object_store.refused')
    expect(await codeOf(nowhere.list('', { limit: 1 }))).toBe('object_store.refused')
  })

  it('says that it may work later where nothing listens', async () => {
    const url = urlOf({ ...server, endpoint: 'http://127.0.0.1:9' })
    const clock = { ...testClock, sleep: async () => undefined, elapsedMs: makeFastTime() }
    const away = await openObjects({ url, folder: newFolder(), clock })
    expect(await codeOf(away.put('a', give('x')))).toBe('object_store.unavailable')
  })
})

/** Seconds pass at each look. */
function makeFastTime(): () => number {
  let ms = 0
  return () => {
    ms += 5000
    return ms
  }
}

describe('the address of objects', () => {
  it('is told what it lacks, without what stands in it', () => {
    for (const url of [
      ...['s3://bucket/x', 's3://a:b@B/x', 's3://a@bucket', 's3://a:b@bucket/UPPER'],
      ...['s3://a:b@bucket?region=!', 's3://a:b@bucket?endpoint=ftp://x', 's3://a:b@bucket?x=1'],
      ...['s3://', 'nonsense', 'https://bucket', 'file:relative'],
    ]) {
      const fault = findObjectsUrlFault(url)
      if (url === 'file:relative') expect(fault).toBeUndefined()
      else expect(fault, url).toMatch(/^(must|has|takes)/)
    }
    for (const url of ['s3://a:b@bucket', 's3://a:b%2F@bucket.x/p/q?region=eu-west-1', 'file:///x'])
      expect(findObjectsUrlFault(url), url).toBeUndefined()
  })

  it('never fails otherwise', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const fault = findObjectsUrlFault(`s3://${text}`)
        expect(fault === undefined || /^(must|has|takes)/.test(fault)).toBe(true)
      }),
    )
  })
})
