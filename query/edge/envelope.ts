// The envelope of all restapi and SDK answers (decision 5.3).
import { jsonContent } from '../../infra/http/routes/route.ts'
import { isFailure } from '../../schemas/failures.ts'
import { failedEnvelopeAnswer } from '../../schemas/public-calls/operation.ts'
import { JSON_TYPE, makeAnswer } from './answer.ts'
import { describeRefusal, type FailureShape } from './failure-shape.ts'

export function envelope(response: unknown): Response {
  return json({ success: true, errorMessage: null, response, httpStatusCode: 200 }, 200)
}

export const FAILED_ENVELOPE: FailureShape = {
  answer: (error) => {
    // Only failures of the caller's making and of engines say what they are.
    const status = isFailure(error) ? error.entry.status : 500
    const message = isFailure(error) && status !== 500 ? error.message : 'internal error'
    return failedEnvelope(status, message)
  },
  refuse: (refusal) => failedEnvelope(refusal.status, describeRefusal(refusal)),
  refusalContent: jsonContent(failedEnvelopeAnswer),
}

function failedEnvelope(status: number, errorMessage: string): Response {
  return json({ success: false, errorMessage, response: null, httpStatusCode: status }, status)
}

function json(body: unknown, status: number): Response {
  return makeAnswer(`${JSON.stringify(body)}\n`, { status, type: JSON_TYPE })
}
