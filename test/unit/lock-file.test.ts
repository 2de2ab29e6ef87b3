import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

type Package = { readonly optionalDependencies?: Readonly<Record<string, string>> }

it('names the packages of every platform, without which npm 11 refuses to install', () => {
  const text = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')
  const { packages }: { packages: Record<string, Package> } = JSON.parse(text)
  const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
  const optional = Object.values(packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}),
  )
  expect(optional.length).toBeGreaterThan(30)
  expect(optional.filter((name) => !names.has(name))).toEqual([])
  expect(text).not.toContain('"resolved"')
})
