// exportObject: one object in YAML.
import { Failure } from '../../../../schemas/failures.ts'
import { exportObject as published } from '../../../../schemas/sdk/objects/export-object.ts'
import { findObject, readState } from '../../configuration/object-state.ts'
import { printConfiguration } from '../../configuration/print-configuration.ts'
import { OBJECT_KINDS } from '../../objects/kinds.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const exportObject = serveCommand(published, async ({ type, name }, { objects: tools }) => {
  tools.requireReading(OBJECT_KINDS[type])
  const viewer = await tools.viewer()
  return async (transaction) => {
    const found = findObject(await readState(transaction, [type], viewer), { type, name })
    if (found === undefined) throw new Failure('object.not_found', { kind: type, name })
    return printConfiguration(new Map([[type, [found]]]), [])
  }
})
