// Runs checks one after the other, each within a limit.
import { isFailure } from '../../schemas/failures.ts'
import type { Check, Examination, Finding, NamedFinding } from './check.ts'

const LIMIT_MS = 20_000

/** In the order of the checks. A check that fails or takes too long is a finding. */
export async function runChecks(
  checks: readonly Check[],
  examination: Examination,
): Promise<readonly NamedFinding[]> {
  const found: NamedFinding[] = []
  for (const check of checks)
    for (const finding of await findingsOf(check, examination))
      found.push({ check: check.name, ...finding })
  return found
}

async function findingsOf(check: Check, examination: Examination): Promise<readonly Finding[]> {
  const limit = new AbortController()
  const late = examination.clock
    .sleep(LIMIT_MS, limit.signal)
    .then(() => [fault(`gave no answer within ${LIMIT_MS / 1000} s`)])
  const run = async () => await check.run(examination)
  try {
    return await Promise.race([run(), late])
  } catch (error) {
    return [fault(isFailure(error) ? error.message : 'the check failed')]
  } finally {
    limit.abort()
  }
}

function fault(text: string): Finding {
  return { grade: 'bad', text }
}
