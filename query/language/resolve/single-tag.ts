// The one app tag that a query asks in, whatever else it asks.
import { parseQuery } from '../parse/parse-query.ts'
import type { Filter } from '../tree.ts'
import { makeQueryCatalog } from './query-catalog.ts'

/** Undefined: none, several, or one by a pattern; also of a text that cannot be read, which its own
 *  reading tells. */
export function findSingleTag(text: string): string | undefined {
  if (!/\bapp(?:tag)?\./i.test(text)) return undefined
  try {
    const { source } = parseQuery(text, makeQueryCatalog([], new Map()))
    return source.kind === 'filterSource' ? tagOf(source.filter) : undefined
  } catch {
    return undefined
  }
}

function tagOf(filter: Filter): string | undefined {
  switch (filter.kind) {
    case 'scoped': {
      const [item, other] = filter.scope.include
      if (item?.kind !== 'scopeName' || item.of !== 'apptag' || other !== undefined)
        return undefined
      const [part, more] = item.name
      return part?.kind === 'text' && more === undefined ? part.text : undefined
    }
    case 'and': {
      const tags = new Set(filter.operands.map(tagOf))
      tags.delete(undefined)
      return tags.size === 1 ? [...tags][0] : undefined
    }
    case 'or': {
      const tags = new Set(filter.operands.map(tagOf))
      return tags.size === 1 ? [...tags][0] : undefined
    }
    case 'everything':
    case 'word':
    case 'phrase':
    case 'test':
    case 'not':
      return undefined
  }
}
