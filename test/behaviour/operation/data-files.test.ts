// What a product leaves in its data directory: events are not for other users of the machine, and
// any tool can copy it.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProduct } from '../../support/product/product.ts'
import { execFileSync } from '../../support/run/run-sync.ts'

it('a data directory that everybody may enter holds no file that everybody may read, and no pipe after the stop', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-modes-'))
  chmodSync(dataDir, 0o755)
  const found = (...test: string[]) =>
    execFileSync('find', [dataDir, '-mindepth', '1', ...test], { encoding: 'utf8' }).trim()
  try {
    const product = await startProduct({ dataDir })
    try {
      const { token } = product.secrets
      const answer = await fetch(`${product.url}/logeye/api/logger.jsp?token=${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"message":"private"}',
      })
      expect(answer.status).toBe(200)
      expect(undescribed(readdirSync(dataDir))).toEqual([])
    } finally {
      await product.stop()
    }
    expect(found('-type', 'f')).not.toBe('')
    const closedDirectory = ['-type', 'd', '!', '-perm', '/007', '-prune']
    expect(found(...closedDirectory, '-o', '-perm', '/007', '-print')).toBe('')
    expect(found('-type', 'p')).toBe('')
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 60_000)

/** Names that the guide does not explain; an operator must know what may be removed. */
function undescribed(names: readonly string[]): string[] {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/operate.md'), 'utf8')
  const described = [...guide.matchAll(/\bdata\/([\w.-]+)/g)].map(([, name]) => name)
  return names.filter((name) => !described.includes(name.replace(/-(wal|shm)$/, '')))
}
