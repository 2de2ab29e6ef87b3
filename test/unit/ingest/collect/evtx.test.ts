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
