// One file out of a multipart body, as it comes: it is handed on piece by piece, and a body that is
// not exactly that one file leaves nothing behind.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { BodyTooLarge } from '../../../infra/http/routes/limited-body.ts'
import { Failure, isFailure } from '../../../schemas/failures.ts'

const FIELD = 'file'
/** `binary` says nothing; another coding would have to be undone. */
const CODINGS = ['7bit', '8bit', 'binary']

export type SentFile = {
  readonly name: string
  /** As the sender calls it, lower case. */
  readonly mediaType: string
  readonly source: AsyncIterable<Uint8Array>
}

type Options<Kept> = {
  readonly stream: ReadableStream<Uint8Array>
  readonly contentType: string
  readonly maxBytes: number
  readonly keep: (file: SentFile) => Promise<Kept>
  /** Takes back what was kept of a body that went wrong behind its file. */
  readonly drop: (kept: Kept) => Promise<void>
}

/** Fails with portal.unsupported_media_type, portal.invalid_upload, portal.too_large, and with what
 *  `keep` fails with. */
export async function receiveFile<Kept>(options: Options<Kept>): Promise<Kept> {
  const { stream, contentType, maxBytes, keep, drop } = options
  const parser = openParser(contentType, maxBytes)
  const stopped = new AbortController()
  let fault: unknown
  let current: Readable | undefined
  let keeping: Promise<Kept> | undefined
  const refuse = (error: unknown): void => {
    fault ??= error
    stopped.abort()
    current?.destroy(error instanceof Error ? error : undefined)
  }
  parser.on('field', () => refuse(invalid('it has a part that is no file')))
  parser.on('partsLimit', () => refuse(invalid('it has more than one part')))
  parser.on('file', (field, file, name, coding, mediaType) => {
    // Whatever it meets, `source` or the parser tells.
    file.on('error', () => undefined)
    const isOther = field !== FIELD || keeping !== undefined || !CODINGS.includes(coding)
    if (isOther || name === undefined || name === '') {
      file.resume()
      return refuse(invalid(`it must have one part, ${FIELD}, with the name of the file`))
    }
    current = file
    file.on('limit', () => refuse(new Failure('portal.too_large', { limit: maxBytes })))
    keeping = keep({ name, mediaType: mediaType.toLowerCase(), source: file })
    keeping.catch(refuse)
  })
  try {
    await pipeline(Readable.fromWeb(stream as never), parser, { signal: stopped.signal })
  } catch (error) {
    refuse(isFailure(error) || error instanceof BodyTooLarge ? error : invalid('it is not whole'))
  }
  const [kept] = await Promise.allSettled([keeping])
  if (kept?.status === 'rejected') throw fault ?? kept.reason
  if (fault !== undefined) {
    if (kept?.value !== undefined) await drop(kept.value)
    throw fault
  }
  if (kept?.value === undefined) throw invalid(`it has no part ${FIELD}`)
  return kept.value
}

function openParser(contentType: string, maxBytes: number): BusboyInstance {
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    throw new Failure('portal.unsupported_media_type', { type: 'multipart/form-data' })
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (_field, _type, name) => name !== undefined,
      limits: {
        ...{ fileSize: maxBytes, parts: 2, fieldSize: 1024, fieldNameSize: 100 },
        ...{ headerPairs: 20, headerSize: 8 * 1024 },
      },
    })
  } catch {
    throw invalid('its Content-Type has no boundary')
  }
}

function invalid(reason: string): Failure {
  return new Failure('portal.invalid_upload', { reason })
}
