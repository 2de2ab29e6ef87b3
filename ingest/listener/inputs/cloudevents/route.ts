// POST /logeye/api/cloudevents: CloudEvents 1.0 in the JSON format, one or a batch
// (docs/decisions/0031).
import type { RawExchange } from '../../../../infra/http/port.ts'
import type { Input } from '../input.ts'
import { Answers } from '../logger/print-answer.ts'
import { makeParameterReader, type RequestParameters } from '../request-parameters.ts'
import { CLOUDEVENTS_FORM } from './form.ts'
import { readCloudEvents } from './read-body.ts'

const JSON_TYPE = /^\s*application\/cloudevents(?:-batch)?\+json\s*(?:;|$)/i
const BEARER = /^Bearer +(\S+)\s*$/i

const parametersOf = makeParameterReader()

export const cloudEventsInput: Input = {
  path: '/logeye/api/cloudevents',
  form: CLOUDEVENTS_FORM,
  readParameters,
  chooseBody: (exchange) =>
    JSON_TYPE.test(exchange.header('content-type')) ? readCloudEvents : 'listener.not_cloudevents',
  rejectedForms: { [CLOUDEVENTS_FORM.name]: readCloudEvents },
  makePrinter: (limits) => new Answers(limits),
}

/** A token in the address goes before that of the header. */
function readParameters(exchange: RawExchange): RequestParameters {
  const parameters = parametersOf(exchange.query)
  if (parameters.token !== '') return parameters
  const [, token = ''] = BEARER.exec(exchange.header('authorization')) ?? []
  return { ...parameters, token }
}
