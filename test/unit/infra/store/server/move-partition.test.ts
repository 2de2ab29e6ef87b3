// Links that outlive their move would bring back, at the next start, what was removed meanwhile.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { movePartition } from '../../../../../infra/store/server/disks/move-partition.ts'

const MOVED = { table: 'events', policy: '1', date: '20250220' }
const NONE = new Uint8Array()

let disk: string
let links: string
beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'logeye-test-move-'))
  links = join(disk, 'shadow', 'logeye_move_events_1_20250220')
})
afterEach(() => rmSync(disk, { recursive: true, force: true }))

/** An engine with one disk and no part, which fails at the first statement that has `fault`. */
function engine(fault: string) {
  return async (sql: string): Promise<Uint8Array> => {
    if (sql.includes('FREEZE')) {
      mkdirSync(links, { recursive: true })
      writeFileSync(join(links, 'linked'), '')
    }
    if (sql.includes(fault)) throw new Error('the engine failed')
    return sql.includes('system.disks') ? Buffer.from(`${disk}/\n`) : NONE
  }
}

describe('a move to another disk', () => {
  it.each(['FREEZE', 'MOVE'])('that fails at its %s leaves no links', async (fault) => {
    const ask = engine(fault)
    const steps = { move: () => ask('ALTER TABLE events MOVE'), fail: () => expect.fail('ended') }
    await expect(movePartition(ask, MOVED, steps)).rejects.toThrow('the engine failed')
    expect(existsSync(links)).toBe(false)
  })

  it('whose copies cannot be synced keeps the links, and ends the process', async () => {
    const fail = (): never => {
      throw new Error('the process ends')
    }
    const moving = movePartition(engine('system.parts'), MOVED, { move: async () => NONE, fail })
    await expect(moving).rejects.toThrow('the process ends')
    expect(existsSync(links)).toBe(true)
  })
})
