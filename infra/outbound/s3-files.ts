// Objects of a bucket of somebody else's making: any keys, listed in full, read in parts of the
// version that was listed, and written. Our own attachments have a home of their own
// (infra/objects).
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { describeConnection } from './describe-connection.ts'
import { RemoteFault } from './remote-fault.ts'
import { openRequest, readText } from './request.ts'
import { bucketUrl, readRefusal, type S3Target, signS3 } from './s3.ts'

export type S3Object = {
  readonly key: string
  /** Of its content, without quotes: another one is another object. */
  readonly etag: string
  readonly size: number
  readonly changedMs: number
}

const QUIET_MS = 30_000
const MAX_LIST_BYTES = 4 * 1024 * 1024
const MAX_REFUSAL_BYTES = 64 * 1024
const PAGE = 1000
const MOST_PAGES = 200
/** Of a page: its objects have a dozen elements each at most, and the package takes seconds for a
 *  page full of small ones. */
const MOST_TAGS = 32 * PAGE
const EMPTY_SHA256 = createHash('sha256').digest('hex')

const parser = new XMLParser({
  ...{ processEntities: false, parseTagValue: false },
  isArray: (name) => name === 'Contents',
})
const pageSchema = z.object({
  ListBucketResult: z.object({
    IsTruncated: z.string().default('false'),
    Contents: z
      .array(
        z.object({ Key: z.string(), Size: z.string(), LastModified: z.string(), ETag: z.string() }),
      )
      .default([]),
  }),
})

type Asked = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly key: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly file?: string
}

/** Each call fails with RemoteFault, or where one object is to blame with ENOENT or EACCES. */
export class S3Files {
  readonly #target: S3Target
  readonly #clock: Pick<Clock, 'nowMs'>

  constructor(target: S3Target, clock: Pick<Clock, 'nowMs'>) {
    this.#target = target
    this.#clock = clock
  }

  /** All keys with this begin, by key. */
  async list(prefix: string): Promise<readonly S3Object[]> {
    const found: S3Object[] = []
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const query = new URLSearchParams({ 'list-type': '2', 'max-keys': String(PAGE), prefix })
      query.set('encoding-type', 'url')
      const after = found.at(-1)?.key
      if (after !== undefined) query.set('start-after', after)
      const answer = await this.#ask({ method: 'GET', key: '', query: query.toString() })
      const page = readPage(await this.#read(answer))
      if (page === undefined) throw this.#fault('it answers, but not as an S3 storage does')
      found.push(...page.objects)
      if (!page.hasMore || page.objects.length === 0) break
    }
    return found
  }

  async head(key: string): Promise<S3Object> {
    const answer = await this.#ask({ method: 'HEAD', key })
    answer.resume()
    const { etag = '', 'content-length': length, 'last-modified': changed = '' } = answer.headers
    return {
      ...{ key, etag: bare(etag), size: Number(length) },
      changedMs: Date.parse(changed),
    }
  }

  /** Of the version with this etag; fails with ENOENT when it is another one. */
  async read(object: S3Object, from: number, length: number): Promise<Buffer> {
    const to = Math.min(object.size, from + length)
    if (from >= to) return Buffer.alloc(0)
    const headers = { range: `bytes=${from}-${to - 1}`, 'if-match': `"${object.etag}"` }
    const answer = await this.#ask({ method: 'GET', key: object.key, headers })
    const parts: Buffer[] = []
    let have = 0
    try {
      for await (const part of answer) {
        parts.push(part)
        have += part.length
        if (have > to - from) break
      }
    } catch {
      throw this.#fault('the connection was cut off')
    }
    const bytes = Buffer.concat(parts)
    if (bytes.length !== to - from) throw this.#fault('it gives other bytes than it was asked for')
    return bytes
  }

  /** `sha256` of the file, hexadecimal: the storage checks it. */
  async put(key: string, file: string, sha256: string): Promise<void> {
    const { size } = await stat(file)
    const headers = { 'content-length': String(size), 'x-amz-content-sha256': sha256 }
    await this.#read(await this.#ask({ method: 'PUT', key, headers, file }))
  }

  async delete(key: string): Promise<void> {
    await this.#read(await this.#ask({ method: 'DELETE', key }))
  }

  async #ask({ method, key, query = '', headers = {}, file }: Asked): Promise<IncomingMessage> {
    const url = bucketUrl(this.#target)
    const path = key.split('/').map(encodeURIComponent).join('/')
    if (key !== '') url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
    url.search = query
    const signal = AbortSignal.timeout(QUIET_MS)
    const signed = await signS3(this.#target, {
      ...{ url, method, nowMs: this.#clock.nowMs() },
      headers: { 'x-amz-content-sha256': EMPTY_SHA256, ...headers },
    })
    const answer = await openRequest({
      ...{ ...signed, method, certificate: '', quietMs: QUIET_MS },
      ...(file === undefined ? {} : { body: createReadStream(file) }),
    }).catch((error: unknown) => {
      throw this.#fault(describeConnection(error, signal))
    })
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    const text = await readText(answer, MAX_REFUSAL_BYTES, true).catch(() => '')
    if (key !== '' && (status === 404 || status === 412) && !text.includes('NoSuchBucket'))
      throw Object.assign(new Error('there is no such object'), { code: 'ENOENT' })
    if (key !== '' && status === 403 && text.includes('<Code>AccessDenied<'))
      throw Object.assign(new Error('it may not be read'), { code: 'EACCES' })
    throw this.#fault(readRefusal(status, text))
  }

  async #read(answer: IncomingMessage): Promise<string> {
    return await readText(answer, MAX_LIST_BYTES).catch(() => {
      throw this.#fault('the connection was cut off')
    })
  }

  #fault(reason: string): RemoteFault {
    return new RemoteFault(`bucket ${this.#target.bucket}: ${reason}`)
  }
}

/** undefined: it is no page. */
function readPage(text: string) {
  if (text.includes('<!DOCTYPE') || text.split('<', MOST_TAGS + 2).length > MOST_TAGS + 1)
    return undefined
  try {
    return toPage(parser.parse(text))
  } catch {
    return undefined
  }
}

function toPage(answer: unknown) {
  const parsed = pageSchema.safeParse(answer)
  if (!parsed.success) return undefined
  const { IsTruncated, Contents } = parsed.data.ListBucketResult
  const objects = Contents.map(({ Key, Size, LastModified, ETag }) => ({
    key: decodeURIComponent(Key.replaceAll('+', ' ')),
    etag: bare(ETag),
    size: Number(Size),
    changedMs: Date.parse(LastModified),
  }))
  return { objects, hasMore: IsTruncated === 'true' }
}

function bare(etag: string): string {
  return etag.replace(/&quot;|"/g, '')
}
