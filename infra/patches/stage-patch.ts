// Checks a patch and lays its files beside those in force; the next start switches to them.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Patch } from '../../schemas/keep/patch.ts'
import { MIGRATIONS } from '../database/migrate.ts'
import { parsePublicKey } from '../signed-documents/signed-document.ts'
import { DATA_FORMAT } from '../supervisor/data-format.ts'
import { openPatch } from './patch-archive.ts'
import {
  HEAD_FILE,
  patchesFolder,
  readPatchState,
  syncFolder,
  writePatchState,
} from './patch-state.ts'

const DRAFT = 'draft-'

export type PatchPlace = {
  readonly dataDir: string
  /** Of LOGEYE_PATCH_PUBLIC_KEY. */
  readonly publicKey: string | undefined
  /** Of the running program. */
  readonly version: string
  /** Where the program was installed: its packages serve the patched one. */
  readonly programFolder: string
}

/** Fails with patch.refused. */
export function stagePatch(archive: Buffer, place: PatchPlace): Patch {
  const { dataDir, publicKey, version, programFolder } = place
  const key = publicKey === undefined ? undefined : parsePublicKey(publicKey)
  if (key === undefined)
    throw refuse('this product trusts no maker of patches: set LOGEYE_PATCH_PUBLIC_KEY')
  const { patch, files, head } = openPatch(archive, key)
  checkFits(patch, { dataDir, version })
  const folder = patchesFolder(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o750 })
  // Of a try that was killed.
  for (const name of readdirSync(folder))
    if (name.startsWith(DRAFT)) rmSync(join(folder, name), { recursive: true, force: true })
  const draft = join(folder, `${DRAFT}${process.pid}`)
  for (const { path, content } of files) {
    const file = join(draft, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o750 })
    writeFileSync(file, content, { mode: 0o640, flag: 'wx', flush: true })
  }
  writeFileSync(join(draft, HEAD_FILE), head, { mode: 0o640, flush: true })
  const packages = join(programFolder, 'node_modules')
  // A patched program has them by a link itself.
  if (!existsSync(join(draft, 'node_modules')) && existsSync(packages))
    symlinkSync(realpathSync(packages), join(draft, 'node_modules'), 'junction')
  const name = `patch-${patch.number}`
  // Of the same number, staged before or taken back: nothing runs from it.
  rmSync(join(folder, name), { recursive: true, force: true })
  renameSync(draft, join(folder, name))
  syncFolder(folder)
  const state = readPatchState(dataDir)
  removeOld(folder, [name, state.active?.folder, state.previous?.folder])
  writePatchState(dataDir, {
    ...state,
    highest: Math.max(state.highest, patch.number),
    staged: { number: patch.number, name: patch.name, folder: name },
  })
  return patch
}

function checkFits(patch: Patch, { dataDir, version }: { dataDir: string; version: string }): void {
  const { number, from, migration, dataFormat } = patch
  if (!from.includes(version))
    throw refuse(`it is for version ${from.join(', ')}, this is ${version}`)
  if (migration !== MIGRATIONS.at(-1)?.number || dataFormat !== DATA_FORMAT)
    throw refuse(
      'it changes the form of the data, and could not be taken back: install the new version beside the data directory',
    )
  const { highest, active, takenBack } = readPatchState(dataDir)
  if (active?.number === number) throw refuse(`patch ${number} is in force already`)
  if (
    number < highest ||
    (number === highest && takenBack !== number && !isStaged(dataDir, number))
  )
    throw refuse(`patch ${number} is not newer than patch ${highest}, which was installed before`)
}

function removeOld(folder: string, kept: readonly (string | undefined)[]): void {
  for (const name of readdirSync(folder))
    if (/^patch-\d+$/.test(name) && !kept.includes(name))
      rmSync(join(folder, name), { recursive: true, force: true })
}

function isStaged(dataDir: string, number: number): boolean {
  return readPatchState(dataDir).staged?.number === number
}

function refuse(reason: string): Failure {
  return new Failure('patch.refused', { reason })
}
