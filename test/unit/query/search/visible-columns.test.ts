// Names of columns are tested once for what masks hide, not in every search.
import { beforeEach, expect, it } from 'vitest'
import type { KnownColumn } from '../../../../query/language/search-input.ts'
import { removeHiddenNames } from '../../../../query/search/visible-columns.ts'
import type { MaskTarget } from '../../../../schemas/masking/mask-rule.ts'

const EMAIL: readonly MaskTarget[] = [{ kind: 'detector', detector: 'email' }]

let read: string[] = []
beforeEach(() => {
  read = []
})

/** Notes each time that its name is read. */
function column(name: string): KnownColumn {
  return {
    logId: 1,
    kind: 'text',
    position: 0,
    get name() {
      read.push(name)
      return name
    },
  }
}

it('leaves out the names that are hidden, in lists that stay the same', async () => {
  const [plain, hidden] = [column('status'), column('ann@example.com')]
  const columns = new Map([
    [1, [plain, hidden]],
    [2, [plain]],
  ])
  const shown = await removeHiddenNames(columns, EMAIL)
  expect([...shown.values()]).toEqual([[plain], [plain]])
  expect(shown.get(2)).toBe(columns.get(2))
  read = []
  const again = await removeHiddenNames(columns, EMAIL)
  expect(read).toEqual([])
  expect([1, 2].map((id) => again.get(id) === shown.get(id))).toEqual([true, true])
})

it('tests only a column that is new', async () => {
  const old = Array.from({ length: 100 }, (_, i) => column(`${'x'.repeat(900)}${i}`))
  await removeHiddenNames(new Map([[1, old]]), EMAIL)
  read = []
  const shown = await removeHiddenNames(new Map([[1, [...old, column('a@b.c')]]]), EMAIL)
  expect(new Set(read)).toEqual(new Set(['a@b.c']))
  expect(shown.get(1)).toEqual(old)
})

it('shows all names to those for whom nothing is hidden', async () => {
  const columns = new Map([[1, [column('a@b.c')]]])
  expect(await removeHiddenNames(columns, [])).toBe(columns)
  expect(await removeHiddenNames(columns, [{ kind: 'column', path: 'user' }])).toBe(columns)
})

it('keeps apart what other masks hide', async () => {
  const columns = new Map([[1, [column('a@b.c'), column('10.1.2.3')]]])
  const names = async (masks: readonly MaskTarget[]) =>
    (await removeHiddenNames(columns, masks)).get(1)?.map(({ name }) => name)
  expect(await names(EMAIL)).toEqual(['10.1.2.3'])
  expect(await names([{ kind: 'detector', detector: 'ipv4' }])).toEqual(['a@b.c'])
})

it('lets others go on while it tests many names', async () => {
  const list = Array.from({ length: 3000 }, (_, i) => column(`${'x'.repeat(900)}${i}`))
  let isOver = false
  let turns = 0
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await removeHiddenNames(new Map([[1, list]]), EMAIL)
  isOver = true
  expect(turns).toBeGreaterThan(3)
})
