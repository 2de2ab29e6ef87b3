import type { CallError } from '../../shared/api/call.ts'
import { asSentence } from '../../shared/tell-failure.ts'
import { TEXTS } from '../../shared/texts.ts'
import { T } from './texts.ts'

/** Why a part of a search has no answer: a connection that broke says nothing itself. */
export function faultText({ status, message }: Pick<CallError, 'status' | 'message'>): string {
  return status === 0 ? TEXTS.failure.unreachable : asSentence(message || T.failed)
}
