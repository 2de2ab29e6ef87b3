import { expect, it } from 'vitest'
import { findNearTests } from '../../../../loadtest/faults/near-tests.ts'

it('finds tests named alike first, then the nearest, also where files import each other', () => {
  const texts = new Map([
    ['infra/a.ts', "import { b } from './b.ts'"],
    ['infra/b.ts', "import { a } from './a.ts'"],
    ['roles/c.ts', "import { b } from '../infra/b.ts'"],
    ['test/contract/far.test.ts', "import { c } from '../../roles/c.ts'"],
    ['test/contract/near.test.ts', "import { a } from '../../infra/a.ts'"],
    ['test/contract/roles/d.test.ts', "import { c } from '../../../roles/c.ts'"],
    ['test/contract/infra/a.test.ts', "import { c } from '../../../roles/c.ts'"],
    ['test/contract/other.test.ts', "import { d } from '../../infra/d.ts'"],
    ['test/unit/a.test.ts', "import { a } from '../../infra/a.ts'"],
  ])
  const find = (most: number) =>
    findNearTests('infra/a.ts', texts, { folder: 'test/contract/', most })
  const nearest = ['infra/a', 'near', 'far', 'roles/d'].map((at) => `test/contract/${at}.test.ts`)
  expect(find(5)).toEqual(nearest)
  expect(find(2)).toEqual(nearest.slice(0, 2))
})
