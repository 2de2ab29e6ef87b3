// PNG: a signature, and chunks from IHDR to IEND with nothing behind.
import { type Inspector, isAlsoZip, refuseFile, Tail, ZIP_REACH } from './inspector.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const HEAD_BYTES = 8
const CHECKSUM_BYTES = 4
const MAX_CHUNK = 0x7f_ff_ff_ff

export function inspectPng(): Inspector {
  const tail = new Tail(ZIP_REACH)
  let waiting: Buffer = Buffer.alloc(0)
  /** Of the chunk that is passing. */
  let skip = 0
  let chunks = -1
  let hasEnded = false
  const refuse = () => refuseFile('its content is not what its name says')

  const readHead = (head: Buffer): void => {
    if (chunks < 0) {
      if (!head.equals(SIGNATURE)) throw refuse()
    } else {
      const length = head.readUInt32BE(0)
      const name = head.toString('latin1', 4, 8)
      if (hasEnded || length > MAX_CHUNK || !/^[A-Za-z]{4}$/.test(name)) throw refuse()
      if ((chunks === 0) !== (name === 'IHDR')) throw refuse()
      hasEnded = name === 'IEND'
      skip = length + CHECKSUM_BYTES
    }
    chunks += 1
  }
  return {
    add(chunk) {
      tail.add(chunk)
      for (let at = 0; at < chunk.length; ) {
        const step = skip > 0 ? skip : HEAD_BYTES - waiting.length
        const part = chunk.subarray(at, at + step)
        at += part.length
        if (skip > 0) {
          skip -= part.length
          continue
        }
        waiting = Buffer.concat([waiting, part])
        if (waiting.length < HEAD_BYTES) continue
        readHead(waiting)
        waiting = Buffer.alloc(0)
      }
    },
    end() {
      if (!hasEnded || skip > 0 || waiting.length > 0) throw refuse()
      if (isAlsoZip(tail.bytes())) throw refuseFile('it is an archive as well')
    },
  }
}
