// `logeye apply-patch`: the same as the command addPatch, where nothing runs.
import { readFileSync, statSync } from 'node:fs'
import { Failure } from '../../schemas/failures.ts'
import { MAX_PATCH_BYTES } from '../../schemas/keep/patch.ts'
import type { Config } from '../config-schema.ts'
import { programFolder } from '../patches/program-folder.ts'
import { stagePatch } from '../patches/stage-patch.ts'
import { readVersion } from './version.ts'

/** Resolves with what was done. Fails with patch.refused. */
export function applyPatch(config: Pick<Config, 'dataDir' | 'patch'>, file: string): string {
  const { dataDir, patch } = config
  const { number, name } = stagePatch(readArchive(file), {
    ...{ dataDir, publicKey: patch.publicKey, version: readVersion() },
    programFolder: programFolder(),
  })
  return `patch ${number} (${name}) is ready: it comes into force with the next start`
}

function readArchive(file: string): Buffer {
  try {
    if (statSync(file).size > MAX_PATCH_BYTES)
      throw new Failure('patch.refused', { reason: `it has more than ${MAX_PATCH_BYTES} bytes` })
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('patch.refused', { reason: `${file} cannot be read` }, error)
  }
}
