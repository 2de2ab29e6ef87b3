// `datastream`: the ingested flow by period (search-language#datastream).
import { makeColumnNames } from '../column-names.ts'
import type { Datastream } from '../tree.ts'
import type { StageSyntax } from './stage.ts'

export const datastream: StageSyntax<Datastream> = {
  words: ['datastream'],
  parse({ input }, before) {
    const { start, end } = input.token()
    input.takeKeyword('datastream')
    const word = input.token()
    const isReceived = input.takeKeyword('received')
    if (before.rows === 'table') input.raise('datastream needs events, not a table', start)
    return { kind: 'datastream', isReceived, start, end: isReceived ? word.end : end }
  },
  print: ({ isReceived }) => (isReceived ? 'datastream received' : 'datastream'),
  after: () => ({
    rows: 'table',
    names: makeColumnNames(['time', 'events', 'volume']),
    aggregation: { hasGroupBy: false, hasInterval: false },
  }),
}
