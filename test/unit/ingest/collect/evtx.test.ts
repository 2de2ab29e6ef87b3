// Windows Event Logs: the samples as another reader understands them, and bytes that are broken.
import { expect, it } from 'vitest'
import {
  EVTX_CHUNK_BYTES,
  EVTX_HEAD_BYTES,
  readChunk,
} from '../../../../ingest/collect/windows/evtx-records.ts'
import { evtxLines, evtxSample } from '../../../support/collect/evtx-samples.ts'
import { makeRandom } from '../../../support/reference/random/random.ts'

function readAll(file: Buffer): string[] {
  const lines: string[] = []
  for (let at = EVTX_HEAD_BYTES; at < file.length; at += EVTX_CHUNK_BYTES)
    lines.push(...readChunk(file.subarray(at, at + EVTX_CHUNK_BYTES)))
  return lines
}

it.each(['dns', 'logon'])('reads %s as others do', (name) => {
  expect(readAll(evtxSample(`${name}.evtx`))).toEqual(evtxLines(`${name}.jsonl`))
})

it('ends with whatever it is given', () => {
  const random = makeRandom(11)
  const whole = evtxSample('dns.evtx')
  for (let round = 0; round < 500; round += 1) {
    const broken = Buffer.from(whole)
    for (let i = 0; i < 20; i += 1) broken[EVTX_HEAD_BYTES + random.below(8000)] = random.below(256)
    for (const line of readAll(broken)) expect(line).toMatch(/^\{/)
  }
})

it('ends where templates are used inside each other, again and again', () => {
  expect(readChunk(nestedTemplates(10, 2))).toEqual([
    expect.stringMatching(/^\{"a":\{"a":"x{10}","a_1":.*"a_9":"x{10}"\}\}$/),
  ])
  // 10^40 elements.
  expect(readChunk(nestedTemplates(10, 40))).toEqual([
    '{"EventRecordID":"0","fault":"cannot be read"}',
  ])
})

/** A chunk with one record: an element that holds the next one `width` times, and so on; the last
 *  one holds a text so many times. */
function nestedTemplates(width: number, depth: number): Buffer {
  const [recordAt, templatesAt, nameAt] = [512, 8192, 32_768]
  const [xml, text] = [0x21, 0x01]
  const chunk = Buffer.alloc(EVTX_CHUNK_BYTES)
  chunk.write('ElfChnk\0', 'latin1')
  chunk.writeUInt16LE(1, nameAt + 6)
  chunk.write('a', nameAt + 8, 'utf16le')
  const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
  let at = templatesAt
  let value = Buffer.from('x\0', 'latin1')
  for (let level = 0; level < depth; level += 1) {
    const type = level === 0 ? text : xml
    const open = [Buffer.of(0x01, 0, 0), number(0), number(nameAt), Buffer.of(0x02)]
    const fill = Array.from({ length: width }, () => Buffer.of(0x0d, 0, 0, type))
    const body = Buffer.concat([...open, ...fill, Buffer.of(0x04, 0)])
    chunk.writeUInt32LE(body.length, at + 20)
    body.copy(chunk, at + 24)
    const use = [Buffer.of(0x0c, 0, 0, 0, 0, 0), number(at), number(1)]
    const size = Buffer.of(value.length & 0xff, value.length >> 8, type, 0)
    value = Buffer.concat([...use, size, value])
    at += 24 + body.length
  }
  chunk.writeUInt32LE(0x2a2a, recordAt)
  chunk.writeUInt32LE(24 + value.length + 4, recordAt + 4)
  value.copy(chunk, recordAt + 24)
  chunk.writeUInt32LE(recordAt + 24 + value.length + 4, 48)
  return chunk
}
