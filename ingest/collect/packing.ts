// Packed files, known by their first bytes: gzip by Node, zstd where this Node has it, bzip2 and xz
// by the system's tool of that name. Windows Event Logs count as such: what is in them is a line of
// JSON an event.
import { spawn } from 'node:child_process'
import { Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { OpenFile } from './sources/file-source.ts'
import { EVTX_CHUNK_BYTES, EVTX_HEAD_BYTES, EVTX_MAGIC, readChunk } from './windows/evtx-records.ts'

export type Packing = 'gzip' | 'zstd' | 'bzip2' | 'xz' | 'evtx'

/** It cannot be read, or not yet: its end may still be missing. The message is for operators. */
export class PackedFault extends Error {}

const MAGIC: readonly (readonly [Packing, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['evtx', EVTX_MAGIC],
]
const READ_BYTES = 256 * 1024
const KEPT_ERROR_CHARACTERS = 200

export function packingOf(head: Uint8Array): Packing | undefined {
  return MAGIC.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0]
}

type Unpacked = { readonly parts: AsyncIterable<Buffer>; readonly end: () => void }

export function unpack(handle: Pick<OpenFile, 'read'>, packing: Packing): Unpacked {
  const input = Readable.from(readAll(handle), { objectMode: false })
  switch (packing) {
    case 'gzip':
      return through(input, zlib.createGunzip())
    case 'zstd': {
      const make: unknown = Reflect.get(zlib, 'createZstdDecompress')
      if (typeof make !== 'function')
        throw new PackedFault('zstd: this Node.js cannot unpack it; Node.js 22.15 or later can')
      return through(input, make())
    }
    case 'bzip2':
    case 'xz':
      return byTool(input, packing)
    case 'evtx':
      return { parts: readEvents(handle), end: () => undefined }
  }
}

/** A chunk that is not whole ends it. What of it cannot be read is a line that says so. */
async function* readEvents(handle: Pick<OpenFile, 'read'>): AsyncGenerator<Buffer> {
  for (let at = EVTX_HEAD_BYTES; ; at += EVTX_CHUNK_BYTES) {
    const chunk = Buffer.allocUnsafe(EVTX_CHUNK_BYTES)
    for (let have = 0; have < EVTX_CHUNK_BYTES; ) {
      const { bytesRead } = await handle.read(chunk, have, EVTX_CHUNK_BYTES - have, at + have)
      if (bytesRead === 0) return
      have += bytesRead
    }
    const lines = readChunk(chunk).map((json) => `${json}\n`)
    if (lines.length > 0) yield Buffer.from(lines.join(''))
  }
}

/** Its own positions: the handle's is nobody's. */
async function* readAll(handle: Pick<OpenFile, 'read'>): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const bytes = Buffer.allocUnsafe(READ_BYTES)
    const { bytesRead } = await handle.read(bytes, 0, READ_BYTES, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield bytes.subarray(0, bytesRead)
  }
}

function through(input: Readable, unpacker: Transform): Unpacked {
  input.on('error', (error) => unpacker.destroy(error))
  input.pipe(unpacker)
  const end = () => {
    input.destroy()
    unpacker.destroy()
  }
  return { parts: parts(unpacker), end }
}

async function* parts(stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const part of stream) yield part
  } catch (error) {
    throw new PackedFault(error instanceof Error ? error.message : 'cannot be unpacked')
  }
}

function byTool(input: Readable, tool: 'bzip2' | 'xz'): Unpacked {
  const child = spawn(tool, ['-dc'], { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(0, KEPT_ERROR_CHARACTERS)
  })
  const ended = new Promise<PackedFault | undefined>((resolve) => {
    child.on('error', () => resolve(new PackedFault(`${tool}: the program is not on this machine`)))
    child.on('close', (code) =>
      resolve(code === 0 ? undefined : new PackedFault(said.trim() || `${tool} cannot unpack it`)),
    )
  })
  child.stdin.on('error', () => undefined)
  input.on('error', () => child.kill())
  input.pipe(child.stdin)
  async function* read(): AsyncGenerator<Buffer> {
    for await (const part of child.stdout) yield part
    const fault = await ended
    if (fault !== undefined) throw fault
  }
  const end = () => {
    input.destroy()
    child.kill()
  }
  return { parts: read(), end }
}
