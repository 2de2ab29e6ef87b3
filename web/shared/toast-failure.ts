import { toast } from './parts/toast.tsx'
import { describeError } from './use-act.ts'

const FAILURE_MS = 8000

/** For what has no place of its own to tell it. */
export function toastFailure(error: unknown): void {
  toast(describeError(error), FAILURE_MS)
}
