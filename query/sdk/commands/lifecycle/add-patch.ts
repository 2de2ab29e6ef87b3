// addPatch: pieces of the archive; with the last one it is checked and staged.
import { takePiece } from '../../../../infra/patches/patch-pieces.ts'
import { readPatchState } from '../../../../infra/patches/patch-state.ts'
import { stagePatch } from '../../../../infra/patches/stage-patch.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { addPatch as published } from '../../../../schemas/sdk/lifecycle/add-patch.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addPatch = serveCommand(published, (input, { lifecycle, clock }) => {
  const { files, piece: number = 1, pieces: of = 1, sha256 } = input
  const place = lifecycle.patches()
  const { dataDir } = place
  const answer = (piecesTaken: number, notes: readonly string[]) => {
    const { active, staged, takenBack } = readPatchState(dataDir)
    const now = { inForce: active?.number ?? 0, ready: staged?.number ?? 0, takenBack }
    return () => Promise.resolve({ ...now, piecesTaken, notes: [...notes] })
  }
  if (files === undefined) return answer(0, [])
  if (sha256 === undefined)
    throw new Failure('sdk.argument', { argument: 'sha256', reason: 'is missing beside -files' })
  const content = Buffer.from(files, 'base64')
  const archive = takePiece(dataDir, { number, of, sha256, content }, clock.nowMs())
  if (archive === undefined) return answer(number, [])
  const { number: patch, name } = stagePatch(archive, place)
  return answer(of, [`patch ${patch} (${name}) comes into force with the next restart`])
})
