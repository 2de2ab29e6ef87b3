// `interval 15 minutes` (search-language#interval).
import { parseTimeUnit, UNIT_WORDS } from '../../../schemas/time/time-unit.ts'
import { makeColumnNames, uniteColumnNames } from '../column-names.ts'
import { describeUnknown } from '../nearest-word.ts'
import { joinedInterval } from '../parse/joined-interval.ts'
import { numberAt } from '../parse/read-name.ts'
import type { Interval } from '../tree.ts'
import type { StageSyntax } from './stage.ts'

const UNITS_ARE = 'units are second, minute, hour, day, week, month, year, or s, m, h, d, w, M, y'

export const interval: StageSyntax<Interval> = {
  words: ['interval'],
  parse({ input }, before) {
    const { start } = input.token()
    input.takeKeyword('interval')
    if (!before.aggregation) input.raise('interval must stand directly after a function', start)
    if (before.aggregation?.hasInterval) input.raise('there is an interval already', start)
    const joined = joinedInterval(input, input.position)
    if (joined !== undefined) {
      input.take(input.token())
      return { kind: 'interval', start, end: input.position, ...joined }
    }
    const number = numberAt(input, input.position)
    const count = number ?? 1
    if (number !== undefined) {
      if (!Number.isSafeInteger(count) || count < 1)
        input.raise('a whole number from 1 is expected')
      input.take(input.token())
    }
    const word = input.token()
    if (word.kind !== 'word') return input.raise(`a unit is expected, such as hour; ${UNITS_ARE}`)
    const unit = parseTimeUnit(input.text.slice(word.start, word.end))
    if (!unit)
      return input.raise(`${describeUnknown('unit', word.keyword, UNIT_WORDS)}; ${UNITS_ARE}`)
    input.take(word)
    return { kind: 'interval', start, end: input.position, count, unit }
  },
  print(stage) {
    return `interval ${stage.count} ${stage.unit}${stage.count === 1 ? '' : 's'}`
  },
  after(_stage, before) {
    return {
      rows: 'table',
      names: uniteColumnNames(before.names, makeColumnNames(['time'])),
      aggregation: { hasGroupBy: before.aggregation?.hasGroupBy ?? false, hasInterval: true },
    }
  },
}
