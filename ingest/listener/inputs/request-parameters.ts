// The parameters of a call of the listener: the first of equal names counts, unknown ones are
// ignored (decision 2.1). A malformed escape stays as it was written: it cannot make a good token
// bad, nor a bad one good.
import { cutSource } from './cut-source.ts'

export type RequestParameters = {
  /** '' when absent. */
  readonly token: string
  /** Trimmed, at most 255 characters (decision 3.1); '' when absent. */
  readonly hostName: string
  readonly receipt: string
  readonly isDebug: boolean
}

const MAX_REMEMBERED = 1000
const MAX_REMEMBERED_CHARACTERS = 1024

/** Parses and remembers: a sender's query is the same in every request. */
export function makeParameterReader(): (query: string) => RequestParameters {
  const remembered = new Map<string, RequestParameters>()
  return (query) => {
    const known = remembered.get(query)
    if (known) return known
    const parameters = parseParameters(query)
    if (query.length <= MAX_REMEMBERED_CHARACTERS) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(query, parameters)
    }
    return parameters
  }
}

export function parseParameters(query: string): RequestParameters {
  const values = new Map<string, string>()
  for (const part of query.split('&')) {
    const equals = part.indexOf('=')
    const name = decodeEscapes(equals < 0 ? part : part.slice(0, equals))
    if (!values.has(name)) values.set(name, equals < 0 ? '' : decodeEscapes(part.slice(equals + 1)))
  }
  return {
    token: values.get('token') ?? '',
    hostName: cutSource(values.get('hostName') ?? ''),
    receipt: values.get('receipt') ?? '',
    isDebug: values.get('debug') === '1',
  }
}

function decodeEscapes(text: string): string {
  if (!/[%+]/.test(text)) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Escapes that are no UTF-8: read as bytes, so that U+FFFD stands for what cannot be read.
    return spaced.replace(/(?:%[0-9a-fA-F]{2})+/g, (escapes) =>
      Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
  }
}
