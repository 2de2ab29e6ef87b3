// The envelope of all restapi and SDK answers (decision 5.3).
import { jsonContent } from '../../infra/http/routes/route.ts'
import { type Failure, isFailure } from '../../schemas/failures.ts'
import { failedEnvelopeAnswer } from '../../schemas/public-calls/operation.ts'
import { JSON_TYPE, makeAnswer } from './answer.ts'
import { describeRefusal, type FailureShape } from './failure-shape.ts'

export function envelope(response: unknown): Response {
  return json({ success: true, errorMessage: null, response, httpStatusCode: 200 }, 200)
}

export const FAILED_ENVELOPE: FailureShape = {
  answer: (error) => {
    // Only failures of the caller's making and of engines say what they are.
    const status = isFailure(error) ? statusOf(error) : 500
    const message = isFailure(error) && status !== 500 ? error.message : 'internal error'
    return failedEnvelope(status, message)
  },
  refuse: (refusal) => failedEnvelope(refusal.status, describeRefusal(refusal)),
  refusalContent: jsonContent(failedEnvelopeAnswer),
}

/** 200 is for searches, which say in their document that they failed: here it would pass for what
 *  was asked for. */
function statusOf({ entry: { status } }: Failure): number {
  return status === 200 ? 503 : status
}

function failedEnvelope(status: number, errorMessage: string): Response {
  return json({ success: false, errorMessage, response: null, httpStatusCode: status }, status)
}

function json(body: unknown, status: number): Response {
  return makeAnswer(`${JSON.stringify(body)}\n`, { status, type: JSON_TYPE })
}
