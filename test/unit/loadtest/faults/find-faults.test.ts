import { describe, expect, it } from 'vitest'
import { findFaults } from '../../../../loadtest/faults/find-faults.ts'

const linesOf = (text: string) =>
  findFaults('query/x.ts', text).map(({ kind, line, after }) => [kind, line, after.trim()])

describe('faults of a file', () => {
  it.each([
    ['if (a < b) f()', ['comparison', 1, 'if (a <= b) f()']],
    ['const x = a === b', ['comparison', 1, 'const x = a !== b']],
    ['await store(a)', ['await', 1, 'store(a)']],
    ['await file.sync()', ['flush', 1, 'void 0']],
    ['fsyncSync(file)', ['flush', 1, 'void 0']],
    ['function f(): void {\n  g()\n}', ['return', 1, 'function f(): void { return']],
    ['const x = rights.mayEdit(node)', ['right', 1, 'const x = true']],
    ['if (user.isAdministrator) f()', ['right', 1, 'if (true) f()']],
    ["if (!ok) throw new Failure('rights.missing')", ['right', 1, 'if (false) throw']],
    ['await requireEditable(node)', ['right', 1, 'void 0']],
    ['const x = (n) + 1', ['offset', 1, 'const x = (n)']],
    ['const x = list[0]', ['offset', 1, 'const x = list[1]']],
  ])('%s', (text, [kind, line, after]) => {
    const [fault] = linesOf(text)
    expect(fault).toEqual([kind, line, expect.stringContaining(String(after))])
  })

  it.each([
    "// a < b\nconst text = 'a < b'\nconst sql = `a < b`",
    'type A = { readonly a: Promise<void> }[0]',
    'logger.warn(list[0], n + 1)',
    'throw new Failure("a", { n: list[0] })',
    'function f(): number {\n  return g()\n}',
    'const b =\n  await f()',
  ])('are none in %s', (text) => {
    expect(linesOf(text)).toEqual([])
  })
})
