// Windows Event Logs of others, and what another reader makes of them (test/cases/evtx).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const SAMPLES = join(import.meta.dirname, '../../cases/evtx')

export function evtxSample(name: string): Buffer {
  return gunzipSync(readFileSync(join(SAMPLES, `${name}.gz`)))
}

export function evtxLines(name: string): string[] {
  return readFileSync(join(SAMPLES, name), 'utf8').trim().split('\n')
}
