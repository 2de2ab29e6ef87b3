// The version that package.json says. This file runs from the sources and from dist/, which lie at
// different depths.
import { readFileSync, statSync } from 'node:fs'

export function readVersion(): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const text = readFileSync(new URL(path, import.meta.url), 'utf8')
      const found: unknown = JSON.parse(text)
      if (isOurs(found)) return found.version
    } catch {
      // The other depth.
    }
  }
  return 'unknown'
}

/** When this file of the program was written. */
export function readBuiltMs(): number | undefined {
  try {
    return statSync(new URL(import.meta.url)).mtimeMs
  } catch {
    return undefined
  }
}

/** Parsed by hand, so that printing the version loads no package. */
function isOurs(found: unknown): found is { readonly version: string } {
  if (typeof found !== 'object' || found === null) return false
  return (
    'name' in found &&
    found.name === 'logeye' &&
    'version' in found &&
    typeof found.version === 'string'
  )
}
