// A picture read by its format (ISO 15948), without what drew it: chunks with their sums, rows with
// their filters. Eight bits a channel, with or without opacity, not interlaced.
import { crc32, inflateSync } from 'node:zlib'

export type Picture = {
  readonly width: number
  readonly height: number
  /** `#rrggbb`. */
  colourAt(x: number, y: number): string
}

const SIGNATURE = '89504e470d0a1a0a'
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

export function readPng(bytes: Buffer): Picture {
  if (bytes.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('no PNG')
  const data: Buffer[] = []
  let head: Buffer | undefined
  let isEnded = false
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const named = bytes.subarray(at + 4, at + 8 + length)
    if (crc32(named) !== bytes.readUInt32BE(at + 8 + length)) throw new Error('a sum is wrong')
    const [name, body] = [named.subarray(0, 4).toString('latin1'), named.subarray(4)]
    if (name === 'IHDR') head = body
    if (name === 'IDAT') data.push(body)
    isEnded = name === 'IEND'
    at += 12 + length
  }
  if (head === undefined || !isEnded) throw new Error('it is cut')
  const channels = CHANNELS[head[9] ?? 0]
  if (channels === undefined || head[8] !== 8 || head[12] !== 0) throw new Error('not of this kind')
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const pixels = unfilter(inflateSync(Buffer.concat(data)), { width, height, channels })
  return {
    ...{ width, height },
    colourAt: (x, y) => {
      const at = (y * width + x) * channels
      return `#${pixels.subarray(at, at + 3).toString('hex')}`
    },
  }
}

function unfilter(
  raw: Buffer,
  { width, height, channels }: { width: number; height: number; channels: number },
): Buffer {
  const stride = width * channels
  const pixels = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x += 1) {
      const left = x < channels ? 0 : (pixels[y * stride + x - channels] ?? 0)
      const up = y === 0 ? 0 : (pixels[(y - 1) * stride + x] ?? 0)
      const corner = x < channels || y === 0 ? 0 : (pixels[(y - 1) * stride + x - channels] ?? 0)
      const added = guess(filter, { left, up, corner })
      pixels[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + added
    }
  }
  return pixels
}

function guess(
  filter: number,
  { left, up, corner }: { left: number; up: number; corner: number },
): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  return filter === 4 ? nearest(left, up, corner) : 0
}

function nearest(left: number, up: number, corner: number): number {
  const sum = left + up - corner
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
