// POST /logeye/api/logger.jsp: JSON and lines of text (decisions 2.1-2.10).
import type { RawExchange } from '../../../../infra/http/port.ts'
import { PLAIN_FORM } from '../../../split/event-form.ts'
import type { Input } from '../input.ts'
import { makeParameterReader } from '../request-parameters.ts'
import { Answers } from './print-answer.ts'
import { readEvent, readJson, readLines } from './read-body.ts'

const TEXT_TYPE = /^\s*text\/plain\s*(?:;|$)/i

const parametersOf = makeParameterReader()

export const loggerInput: Input = {
  path: '/logeye/api/logger.jsp',
  form: PLAIN_FORM,
  readParameters: ({ query }) => parametersOf(query),
  chooseBody: (exchange) => (isText(exchange) ? readLines : readJson),
  rejectedForms: { '': readJson, lines: readEvent },
  makePrinter: (limits) => new Answers(limits),
}

/** By the media type alone: a charset changes nothing, bytes are kept as they are. */
function isText(exchange: RawExchange): boolean {
  return TEXT_TYPE.test(exchange.header('content-type'))
}
