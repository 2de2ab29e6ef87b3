// Tests of log, folder and apptags: decided per log while compiling, so that rows are picked by log
// id alone.

import { parseBlock } from '../../ip-address.ts'
import { patternText } from '../../parse/input.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import type { SearchableLog } from '../../search-input.ts'
import type { Check } from '../../tree.ts'
import { FALSE } from '../boolean-sql.ts'
import { checkRegexp } from '../regexp/check-regexp.ts'
import type { SqlParams } from '../sql-params.ts'
import { passesCheck } from './check-text.ts'
import type { Operand } from './operand.ts'

type PerLogOperand = Operand & { readonly kind: 'perLog' }

export function perLogTestSql(operand: PerLogOperand, check: Check, params: SqlParams): string {
  if (check.kind === 'within' && !parseBlock(patternText(check.value.pattern))) {
    raiseQuery('an address or a CIDR block is expected', check.value.start)
  }
  const present = operand.logs.filter((log) => textsOf(operand, log).length > 0)
  if (check.kind === 'matches') {
    const matching = regexpSql(operand, present, check, params)
    return check.isNegated ? `(${logIdIn(present, params)} AND NOT ${matching})` : matching
  }
  const passing = present.filter((log) =>
    textsOf(operand, log).some((text) => passesCheck(text, check)),
  )
  if (check.kind === 'exists') {
    return check.isNegated ? `NOT ${logIdIn(present, params)}` : logIdIn(present, params)
  }
  const isNegative =
    check.kind === 'compare' ? check.operator === '!=' : 'isNegated' in check && check.isNegated
  if (!isNegative) return logIdIn(passing, params)
  const passed = new Set(passing)
  return logIdIn(
    present.filter((log) => !passed.has(log)),
    params,
  )
}

export function logIdIn(logs: readonly SearchableLog[], params: SqlParams): string {
  if (logs.length === 0) return FALSE
  return `(log_id IN ${params.add(
    logs.map(({ id }) => id),
    'Array(UInt32)',
  )})`
}

/** The engine's own regular expressions, over the distinct texts. */
function regexpSql(
  operand: PerLogOperand,
  logs: readonly SearchableLog[],
  check: Check & { readonly kind: 'matches' },
  params: SqlParams,
): string {
  const regexp = patternText(check.value.pattern)
  checkRegexp(regexp, check.value.start, params)
  const ids: number[] = []
  const texts: string[] = []
  for (const log of logs) {
    for (const text of textsOf(operand, log)) {
      ids.push(log.id)
      texts.push(text)
    }
  }
  if (ids.length === 0) return FALSE
  const idList = params.add(ids, 'Array(UInt32)')
  const textList = params.add(texts, 'Array(String)')
  return `(log_id IN (SELECT pair.1 FROM (SELECT arrayJoin(arrayZip(${idList}, ${textList})) AS pair) WHERE match(pair.2, ${params.text(regexp)})))`
}

function textsOf({ textsOf }: PerLogOperand, log: SearchableLog): readonly string[] {
  return textsOf(log).filter((text) => text !== '')
}
