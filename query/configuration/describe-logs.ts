// Definitions of logs with all names in them, and as the rows of logs-configuration (decision 5.2).
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { readLogOrigins } from '../../infra/metastore/tree/log-origins.ts'
import type { LogRecord } from '../../infra/metastore/tree/port.ts'
import { ENTRY_SEPARATOR } from '../../schemas/log-definition.ts'
import { LEVEL_SEPARATOR } from '../../schemas/names/log-path.ts'
import type { LogDefinitionAnswer } from '../../schemas/public-calls/configuration.ts'

const COLUMN_SEPARATOR = ' | '
/** What would end a row, or a column of it. */
const BREAKS = /\r\n|[|\n\v\f\r\u0085\u2028\u2029]/g
const DEFAULT_CHAR_SET = 'UTF-8'

/** In the order given. */
export async function describeLogs(
  metastore: OpenedMetastore,
  logs: readonly LogRecord[],
): Promise<LogDefinitionAnswer[]> {
  const { policies, accounts } = await readLogOrigins(metastore.database.read)
  const systemZone = metastore.setting('system.timeZone')
  return logs.map((log) => {
    const { definition } = log
    const account = log.accountId === null ? undefined : accounts.get(log.accountId)
    const listened = account === undefined ? [] : [`listener:${account.name}`]
    return {
      type: 'Log',
      id: `l${log.id}`,
      name: log.name,
      description: log.description,
      path: log.folder.join(LEVEL_SEPARATOR),
      appTags: [...log.appTags],
      collectionPolicy: policies.get(log.policyId) ?? '',
      patterns: [...definition.patterns],
      filePaths: [...definition.filePaths, ...listened].join(ENTRY_SEPARATOR),
      accountName: definition.account,
      charSet: definition.charSet ?? DEFAULT_CHAR_SET,
      timeZone: definition.timeZone ?? account?.timeZone ?? systemZone,
      dataFilterQuery: definition.dataFilterQuery,
    }
  })
}

/** Thirteen columns, whatever a value holds. */
export function printLogRow(log: LogDefinitionAnswer): string {
  return [
    ...[log.type, log.id, log.name, log.description, log.path],
    log.appTags.join(', '),
    log.collectionPolicy,
    log.patterns.join(ENTRY_SEPARATOR),
    ...[log.filePaths, log.accountName, log.charSet, log.timeZone, log.dataFilterQuery],
  ]
    .map((value) => value.replace(BREAKS, ' '))
    .join(COLUMN_SEPARATOR)
}
