// addPatch: refused, and says what to do.
import { Failure } from '../../../../schemas/failures.ts'
import { addPatch as published } from '../../../../schemas/sdk/lifecycle/add-patch.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addPatch = serveCommand(published, () => {
  throw new Failure('sdk.not_yet', {
    what: 'installing patches',
    hint: 'install the new version beside the data directory and start it',
  })
})
