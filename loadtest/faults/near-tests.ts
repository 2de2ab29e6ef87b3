import { posix } from 'node:path'
import { importsOf } from '../../test/support/rules/architecture.ts'
import type { Texts } from './fault-list.ts'

/** Tests below a folder that import a file: those named alike first, then by the fewest steps. */
export function findNearTests(
  file: string,
  texts: Texts,
  options: { readonly folder: string; readonly most: number },
): string[] {
  const importers = new Map<string, string[]>()
  for (const [importer, text] of texts)
    for (const name of importsOf(text).filter((name) => name.startsWith('.'))) {
      const imported = posix.join(posix.dirname(importer), name)
      importers.set(imported, [...(importers.get(imported) ?? []), importer])
    }
  const reached = new Set([file])
  // Grows while it is read: files in the order of their distance.
  for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer)
  const isTest = (name: string) => name.startsWith(options.folder) && name.endsWith('.test.ts')
  const words = wordsOf(file)
  const likeness = (name: string) => [...wordsOf(name)].filter((word) => words.has(word)).length
  const tests = [...reached].filter(isTest).map((name) => ({ name, likeness: likeness(name) }))
  return tests
    .sort((a, b) => b.likeness - a.likeness)
    .map(({ name }) => name)
    .slice(0, options.most)
}

/** Of a path, in the singular. */
function wordsOf(path: string): Set<string> {
  return new Set(path.split(/\W/).map((word) => word.replace(/s$/, '')))
}
