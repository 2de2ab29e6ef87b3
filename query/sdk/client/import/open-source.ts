// The bytes of a file to import, as they are after decompression.
import { createReadStream, type ReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

const MAGIC_BYTES = 4

export type ImportFormat = 'lines' | 'json'

export type ImportSource = {
  /** In the file. */
  readonly fileBytes: number
  /** Bytes of the file that were read so far: progress, also of a compressed one. */
  readBytes(): number
  readonly stream: Readable
  close(): void
}

/** A text: why it cannot be read. */
export async function openImportSource(file: string): Promise<ImportSource | string> {
  let magic: Buffer
  try {
    if (!statSync(file).isFile()) return 'is no file'
    magic = await readStart(file)
  } catch {
    return 'cannot be read'
  }
  if (magic.length === 0) return 'is empty'
  const decompress = chooseDecompression(magic)
  if (typeof decompress === 'string') return decompress
  const raw: ReadStream = createReadStream(file)
  const stream = decompress === undefined ? raw : raw.pipe(decompress)
  raw.on('error', (error) => stream.destroy(error))
  const close = () => {
    raw.destroy()
    stream.destroy()
  }
  return { fileBytes: statSync(file).size, readBytes: () => raw.bytesRead, stream, close }
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function chooseDecompression(magic: Buffer) {
  const begins = (...bytes: number[]) => magic.subarray(0, bytes.length).equals(Buffer.from(bytes))
  if (begins(0x1f, 0x8b)) return createGunzip()
  if (begins(0x28, 0xb5, 0x2f, 0xfd)) return 'is compressed by zstd: decompress it first'
  if (begins(0x42, 0x5a, 0x68)) return 'is compressed by bzip2: decompress it first'
  if (begins(0xfd, 0x37, 0x7a, 0x58)) return 'is compressed by xz: decompress it first'
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) return 'is UTF-16: make it UTF-8 first (iconv)'
  return undefined
}

/** By its first character that is no space. A text: why it cannot be imported. */
export function guessFormat(start: Buffer): ImportFormat | { readonly fault: string } {
  const text = start.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const first = /\S/.exec(text)?.[0]
  if (first === '[')
    return { fault: "is one JSON array: make a line of each element first (jq -c '.[]')" }
  return first === '{' ? 'json' : 'lines'
}
