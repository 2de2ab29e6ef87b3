// The colours of a query: what the words are, as far as a glance at them says. The server judges.
import { StreamLanguage } from '@codemirror/language'

const WORDS =
  /^(?:and|or|not|in|as|by|if|asc|desc|to|null|only|format|last|between|within|exists|contains|matches|starts|ends|with)\b/i
const STAGES =
  /^(?:count|distinct|sum|avg|min|max|median|percentile|stdev|first|group|interval|datastream|where|order|limit|list|dedup|extract|replace|round|transpose|display|join|transaction)\b/i
const SCOPE =
  /^(?:log|folder|apptag|app|server|host|file|source|type)\.(?:"(?:[^"\\]|\\.)*"|[^\s,|)]*)/i
const COLUMN = /^[\p{L}_][\p{L}\p{N}_.]*(?=\s*(?:!?=|[<>]))/u

type State = { isStage: boolean }

export const queryLanguage = StreamLanguage.define<State>({
  name: 'query',
  startState: () => ({ isStage: false }),
  token: (stream, state) => {
    if (stream.eatSpace()) return null
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
    if (stream.eat('|')) {
      state.isStage = true
      return 'operator'
    }
    if (!state.isStage && stream.match(SCOPE)) return 'tagName'
    if (stream.match(COLUMN)) return 'propertyName'
    if (state.isStage && stream.match(STAGES)) return 'keyword'
    if (stream.match(WORDS)) return 'keyword'
    if (stream.match(/^-?\d+(?:\.\d+)?(?![\p{L}\d])/u)) return 'number'
    if (stream.match(/^(?:!=|[<>]=?|=)/)) return 'operator'
    if (stream.match(/^[^\s"|=<>!(),]+/)) return null
    stream.next()
    return null
  },
})
