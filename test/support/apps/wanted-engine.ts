// The HTTP engine that the environment names, as the product reads it: a run of the tests is on one
// or the other.
import type { EngineName } from '../../../infra/http/engine.ts'

export function wantedEngine(): EngineName | undefined {
  const set = process.env.LOGEYE_HTTP_ENGINE
  return set === 'uws' || set === 'node' ? set : undefined
}
