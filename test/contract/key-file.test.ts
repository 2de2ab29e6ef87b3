// Key files, on a real file system.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../infra/clock.ts'
import { openKeyFile } from '../../infra/key-file.ts'

describe('a key file', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-key-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  it('is made once and leaves nothing else behind', () => {
    const key = openKeyFile(dataDir, 'receipt', systemClock)
    expect(key).toHaveLength(32)
    expect(openKeyFile(dataDir, 'receipt', systemClock)).toEqual(key)
    expect(readdirSync(join(dataDir, 'keys'))).toEqual(['receipt.key'])
  })

  it('is that of the process that was first', () => {
    const other = Buffer.alloc(32, 9)
    const file = join(dataDir, 'keys', 'receipt.key')
    // Another process makes the key between our look and our own making.
    let calls = 0
    const key = openKeyFile(dataDir, 'receipt', {
      ...systemClock,
      randomBytes: (count) => {
        calls += 1
        if (calls === 2) writeFileSync(file, other)
        return systemClock.randomBytes(count)
      },
    })
    expect(key).toEqual(other)
    expect(readFileSync(file)).toEqual(other)
  })

  it('refuses the start when it is damaged, since a new one would make good receipts bad', () => {
    openKeyFile(dataDir, 'receipt', systemClock)
    writeFileSync(join(dataDir, 'keys', 'receipt.key'), 'short')
    expect(() => openKeyFile(dataDir, 'receipt', systemClock)).toThrow('is damaged')
  })
})
