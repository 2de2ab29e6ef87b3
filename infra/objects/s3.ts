// Objects in a bucket of a storage that speaks S3. Each is spooled first: its length and its hash
// are signed, so the storage takes it whole or not at all, and what failed is sent again.
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { openRequest, readText } from '../outbound/request.ts'
import { bucketUrl, type S3Target, signS3 } from '../outbound/s3.ts'
import { retry } from '../retry.ts'
import { checkKey, checkPrefix } from './check-key.ts'
import type { ObjectSeen, ObjectStore } from './port.ts'
import { Spool } from './spool.ts'

/** Of one object: what a storage takes in one piece. */
const MAX_BYTES = 5 * 1024 ** 3
const MAX_ANSWER_BYTES = 2 * 1024 * 1024
const RETRY_MS = 20_000
/** Longer than the slowest reader of an answer is given for a piece. */
const QUIET_MS = 90_000
/** Of nothing, for calls without a body. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const parser = new XMLParser({
  ...{ processEntities: false, parseTagValue: false },
  isArray: (name) => name === 'Contents',
})
const listSchema = z.object({
  ListBucketResult: z.object({
    Contents: z
      .array(z.object({ Key: z.string(), Size: z.string(), LastModified: z.string() }))
      .default([]),
  }),
})
const errorSchema = z.object({ Error: z.object({ Code: z.string() }) })

type Asked = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** '' for the bucket. */
  readonly key: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly file?: string
  /** Beside 200, 204 and 206. */
  readonly isMissingFine?: boolean
}

/** `spool`: a folder of its own. `prefix`: '' or with a slash at its end. */
export function openS3Store(
  target: S3Target & { readonly prefix: string },
  { spool: folder, clock }: { readonly spool: string; readonly clock: Clock },
): ObjectStore {
  const spool = new Spool(folder, clock)
  const { prefix: own } = target

  const askOnce = async (asked: Asked) => {
    const { method, key, query = '', headers = {}, file, isMissingFine = false } = asked
    const url = bucketUrl(target)
    if (key !== '') url.pathname = `${url.pathname.replace(/\/$/, '')}/${own}${key}`
    url.search = query
    const signed = await signS3(target, {
      ...{ url, method, nowMs: clock.nowMs() },
      headers: { 'x-amz-content-sha256': EMPTY_SHA256, ...headers },
    })
    const answer = await openRequest({
      ...{ ...signed, method, certificate: '', quietMs: QUIET_MS },
      ...(file === undefined ? {} : { body: createReadStream(file) }),
    }).catch((error: unknown) => {
      throw new Failure('object_store.unavailable', { reason: 'no connection' }, error)
    })
    const status = answer.statusCode ?? 0
    if (status === 200 || status === 204 || status === 206) return answer
    const code = method === 'HEAD' ? '' : await readCode(answer)
    if (status === 404 && (code === '' || code === 'NoSuchKey')) {
      answer.destroy()
      if (isMissingFine) return undefined
      throw new Failure('object_store.missing')
    }
    const isLater = status >= 500 || status === 429 || status === 408
    throw isLater
      ? new Failure('object_store.unavailable', { reason: `status ${status}` })
      : new Failure('object_store.refused', { status, reason: code || 'no reason' })
  }
  const ask = (asked: Asked) => retry(() => askOnce(asked), { clock, limitMs: RETRY_MS })
  const finish = async (asked: Asked): Promise<void> => {
    const answer = await ask(asked)
    if (answer !== undefined) await readText(answer, MAX_ANSWER_BYTES)
  }
  return {
    put: (key, source) => {
      checkKey(key)
      return spool.with(source, async ({ path: file, bytes, sha256 }) => {
        if (bytes > MAX_BYTES)
          throw new Failure('object_store.refused', { status: 413, reason: 'more than 5 GiB' })
        const headers = { 'content-length': String(bytes), 'x-amz-content-sha256': sha256 }
        await finish({ method: 'PUT', key, headers, file })
        return { key, bytes, modifiedMs: clock.nowMs() }
      })
    },
    get: async (key, range) => {
      checkKey(key)
      const headers = range && { range: `bytes=${range.from}-${range.to - 1}` }
      const answer = await ask({ method: 'GET', key, ...(headers ? { headers } : {}) })
      if (answer === undefined) throw new Failure('object_store.missing')
      return streamAnswer(answer)
    },
    head: async (key): Promise<ObjectSeen | undefined> => {
      checkKey(key)
      const answer = await ask({ method: 'HEAD', key, isMissingFine: true })
      if (answer === undefined) return undefined
      answer.resume()
      const modifiedMs = Date.parse(answer.headers['last-modified'] ?? '')
      return { key, bytes: Number(answer.headers['content-length']), modifiedMs }
    },
    delete: async (key) => {
      checkKey(key)
      await finish({ method: 'DELETE', key, isMissingFine: true })
    },
    list: async (prefix, { after, limit }) => {
      checkPrefix(prefix)
      const query = new URLSearchParams({ 'list-type': '2', 'max-keys': String(limit) })
      query.set('prefix', own + prefix)
      if (after !== undefined) query.set('start-after', own + after)
      const answer = await ask({ method: 'GET', key: '', query: query.toString() })
      const text = answer === undefined ? '' : await readText(answer, MAX_ANSWER_BYTES)
      return readList(text, own)
    },
  }
}

function readList(text: string, own: string): ObjectSeen[] {
  const parsed = listSchema.safeParse(text.includes('<!DOCTYPE') ? undefined : parser.parse(text))
  if (!parsed.success) throw new Failure('object_store.unavailable', { reason: 'no list' })
  return parsed.data.ListBucketResult.Contents.map(({ Key, Size, LastModified }) => ({
    key: Key.slice(own.length),
    bytes: Number(Size),
    modifiedMs: Date.parse(LastModified),
  }))
}

/** Of a refusal; '' where it has none. Never its text, which may quote what was sent. */
async function readCode(answer: Parameters<typeof readText>[0]): Promise<string> {
  const text = await readText(answer, MAX_ANSWER_BYTES).catch(() => '')
  if (text.includes('<!DOCTYPE')) return ''
  try {
    const code = errorSchema.safeParse(parser.parse(text)).data?.Error.Code ?? ''
    return /^\w{1,60}$/.test(code) ? code : ''
  } catch {
    return ''
  }
}

async function* readPieces(answer: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of answer) yield piece
  } catch (error) {
    throw new Failure('object_store.unavailable', { reason: 'cut off' }, error)
  }
}

function streamAnswer(answer: Readable): ReadableStream<Uint8Array> {
  const pieces = readPieces(answer)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: () => void answer.destroy(),
    },
    { highWaterMark: 0 },
  )
}
