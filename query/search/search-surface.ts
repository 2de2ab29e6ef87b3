// The style of widgetAPI.jsp: a form or an address in, the XML document out, also of what failed.
// What is refused before it is a call of its own is answered as everywhere.
import { makeAnswer } from '../edge/answer.ts'
import { FAILED_ENVELOPE } from '../edge/envelope.ts'
import { type Form, readForm } from '../edge/read-form.ts'
import type { Surface } from '../edge/surface.ts'
import { toFailedAnswer } from './failed-answer.ts'
import { type Answer, printAnswer, XML_CONTENT_TYPE } from './print/xml.ts'

export const SEARCH_SURFACE: Surface<Form, Answer> = {
  read: readForm,
  answer: (answer) => answerXml(answer, 200),
  failures: {
    ...FAILED_ENVELOPE,
    answer: (error, timeoutMs) => {
      const { answer, httpStatus } = toFailedAnswer(error, timeoutMs)
      return answerXml(answer, httpStatus)
    },
  },
  bug: { phrase: 'search failed', code: 'search.internal' },
  isCounted: true,
}

function answerXml(answer: Answer, status: number): Response {
  return makeAnswer(printAnswer(answer), { status, type: XML_CONTENT_TYPE })
}
