// Definitions of logs as they are kept. Most logs have none, and share one object.
import { Failure } from '../../../schemas/failures.ts'
import { type LogDefinition, logDefinitionSchema } from '../../../schemas/log-definition.ts'

export const NO_DEFINITION = '{}'
const EMPTY: LogDefinition = logDefinitionSchema.parse({})

export function readLogDefinition(json: string): LogDefinition {
  if (json === NO_DEFINITION) return EMPTY
  try {
    return logDefinitionSchema.parse(JSON.parse(json))
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
