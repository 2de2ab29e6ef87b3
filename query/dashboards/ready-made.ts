// Apps that come along, as files of the form that importing takes (schemas/dashboards/app.ts).
import { readFileSync } from 'node:fs'
import { type AppFile, appFile } from '../../schemas/dashboards/app.ts'
import { Failure } from '../../schemas/failures.ts'

const FILES = ['web-access', 'linux', 'kubernetes', 'cloudtrail', 'logeye'] as const

let known: readonly AppFile[] | undefined

export function readyMadeApps(): readonly AppFile[] {
  known ??= FILES.map((name) => {
    const url = new URL(`./ready-made/${name}.json`, import.meta.url)
    return appFile.parse(JSON.parse(readFileSync(url, 'utf8')))
  })
  return known
}

/** Letter case does not count. Fails with object.not_found. */
export function requireReadyMade(name: string): AppFile {
  const wanted = name.trim().toLowerCase()
  const found = readyMadeApps().find((app) => app.name.toLowerCase() === wanted)
  if (found === undefined) throw new Failure('object.not_found', { kind: 'ready-made app', name })
  return found
}
