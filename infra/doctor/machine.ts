// What the machine gives: memory, open files, a Node that is kept up, the quick HTTP engine.
import { totalmem } from 'node:os'
import { formatByteSize } from '../../schemas/byte-size.ts'
import { chooseHttpEngine, describeEngine } from '../http/engine.ts'
import { ENOUGH_OPEN_FILES, RAISE_OPEN_FILES, readOpenFileLimit } from '../supervisor/open-files.ts'
import { bad, type Examination, type Finding, ok, warn } from './check.ts'

/** Beside the memory of the engine: front, work, and the store's own, measured under load. */
const BESIDE_STORE_BYTES = 700 * 1024 ** 2
/** Node lines that got their last correction upstream before this version. */
const ENDED_LINES: readonly string[] = ['20']

export function checkMemory({ config }: Examination): readonly Finding[] {
  const limit = process.constrainedMemory()
  const total = totalmem()
  // Without a limit the number is 0, or larger than any machine.
  const isLimited = limit > 0 && limit < total
  const has = isLimited ? limit : total
  const needs =
    config.storeUrl === undefined
      ? config.store.maxMemoryBytes + BESIDE_STORE_BYTES
      : BESIDE_STORE_BYTES
  const text = `${formatByteSize(has)} of memory${isLimited ? ' (the limit of this container or unit)' : ''}`
  if (has >= needs) return ok(text)
  return bad(
    `${text}, ${formatByteSize(needs)} are needed: processes may be ended by the system under load`,
    'give it more memory, or lower LOGEYE_STORE_MAX_MEMORY_BYTES',
  )
}

export function checkOpenFiles(): readonly Finding[] {
  const limit = readOpenFileLimit()
  if (limit === undefined) return []
  const text = `${limit} files may be open in a process`
  return limit < ENOUGH_OPEN_FILES
    ? warn(`${text}, ${ENOUGH_OPEN_FILES} are needed under load`, RAISE_OPEN_FILES)
    : ok(text)
}

export function checkNode(): readonly Finding[] {
  const { node } = process.versions
  const isEnded = ENDED_LINES.includes(node.split('.')[0] ?? '')
  return isEnded
    ? warn(`Node ${node} gets no security corrections any more`, 'install Node 22 or 24')
    : ok(`Node ${node}`)
}

export async function checkHttpEngine({ config }: Examination): Promise<readonly Finding[]> {
  const engine = await chooseHttpEngine(config.http)
  const text = describeEngine(engine)
  return engine.isFallback ? warn(text, 'use Node 22 where that counts') : ok(text)
}
