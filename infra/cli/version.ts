// The version that package.json says. This file runs from the sources and from dist/, which lie at different depths.
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageSchema = z.object({ name: z.literal('logeye'), version: z.string() })

export function readVersion(): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const text = readFileSync(new URL(path, import.meta.url), 'utf8')
      return packageSchema.parse(JSON.parse(text)).version
    } catch {
      // The other depth.
    }
  }
  return 'unknown'
}
