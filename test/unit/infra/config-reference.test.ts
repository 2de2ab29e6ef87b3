import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SETTINGS } from '../../../infra/config.ts'

it('is described setting by setting in the reference, and nothing else is', () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../docs/reference/configuration.md'),
    'utf8',
  )
  const described = [...page.matchAll(/^\| `(LOGEYE_\w+)` \| `([\w.]+)`/gm)].map(
    ([, variable, path]) => `${variable} ${path}`,
  )
  expect(described).toEqual(SETTINGS.map(({ variable, path }) => `${variable} ${path}`))
})
