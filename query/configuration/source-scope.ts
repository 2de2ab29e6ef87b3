// sourceQuery: a scope as in a search, without the word `in`.
import { isFailure } from '../../schemas/failures.ts'
import { Input } from '../language/parse/input.ts'
import { parseScopeList } from '../language/parse/parse-scope.ts'
import { namesLogs } from '../language/resolve/select-logs.ts'
import type { Scope } from '../language/tree.ts'
import { refuse } from './read-given.ts'

/** Undefined: everything. Fails with request.invalid. */
export function parseSourceQuery(text: string | undefined): Scope | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const scope = parse(text)
  for (const item of scope.include)
    if (item.kind === 'scopeName' && !namesLogs(item))
      throw refuse('sourceQuery', 'server. and file. name no logs: give apptag., folder. or log.')
  return scope
}

function parse(text: string): Scope {
  try {
    return parseScopeList(new Input(text))
  } catch (error) {
    throw isFailure(error) ? refuse('sourceQuery', error.message, error) : error
  }
}
