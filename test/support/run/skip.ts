// A suite that is skipped carries its reason in its name, as closing-line.ts reads it; a test
// inside may say it by `context.skip(reason)`.
import { describe, it } from 'vitest'
import type { Missing } from './missing.ts'

export function describeUnless(reason: Missing, name: string, body: () => void): void {
  describe.skipIf(reason !== undefined)(nameWith(reason, name), body)
}

export function itUnless(reason: Missing, name: string, body: () => Promise<void> | void): void {
  it.skipIf(reason !== undefined)(nameWith(reason, name), body)
}

function nameWith(reason: Missing, name: string): string {
  return reason === undefined ? name : `${name} (skipped: ${reason})`
}
