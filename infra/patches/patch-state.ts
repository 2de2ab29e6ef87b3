// Which patch is in force: one small file, replaced as a whole, so that a kill leaves the old or
// the new (docs/decisions/0112).
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Document and list of files of a patch, for the check before a start. */
export const HEAD_FILE = 'patch.txt'
const FOLDER = 'patches'
const FILE = 'state.json'

const installed = z.object({ number: z.number(), name: z.string(), folder: z.string() })
export type InstalledPatch = z.infer<typeof installed>

const stateSchema = z.object({
  /** The highest number that was ever installed. */
  highest: z.number(),
  /** Null: the program as it was installed. */
  active: installed.nullable(),
  /** `trying`: it has not been healthy yet. */
  state: z.enum(['good', 'trying']),
  /** Starts of a patch that is being tried. */
  tries: z.number(),
  /** What is in force again when `active` fails. */
  previous: installed.nullable(),
  /** Comes into force with the next start. */
  staged: installed.nullable(),
  /** The last one that was taken back; 0: none. */
  takenBack: z.number(),
})
export type PatchState = z.infer<typeof stateSchema>

const NOTHING: PatchState = {
  ...{ highest: 0, active: null, state: 'good', tries: 0, previous: null, staged: null },
  takenBack: 0,
}

export function patchesFolder(dataDir: string): string {
  return join(dataDir, FOLDER)
}

/** Without a readable file the program runs as it was installed. */
export function readPatchState(dataDir: string): PatchState {
  try {
    const text = readFileSync(join(patchesFolder(dataDir), FILE), 'utf8')
    return stateSchema.parse(JSON.parse(text))
  } catch {
    return NOTHING
  }
}

export function writePatchState(dataDir: string, state: PatchState): void {
  const folder = patchesFolder(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o750 })
  const draft = join(folder, `${FILE}.${process.pid}`)
  writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o640, flush: true })
  renameSync(draft, join(folder, FILE))
  syncFolder(folder)
}

/** So that names are there after a power cut. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
