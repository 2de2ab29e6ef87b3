// addLog: makes a log, or with -update changes one.

import { requireBookAccount } from '../../../../infra/metastore/address-book/book-accounts.ts'
import { requirePolicy } from '../../../../infra/metastore/policies/collection-policies.ts'
import {
  addLog as add,
  changeLog,
  type LogChange,
} from '../../../../infra/metastore/tree/log-changes.ts'
import { ensureAppTags } from '../../../../infra/metastore/tree/named-objects.ts'
import { notesOnPolicy } from '../../../../schemas/collection-policy.ts'
import { Failure, isFailure } from '../../../../schemas/failures.ts'
import type { LogDefinition } from '../../../../schemas/log-definition.ts'
import { addLog as published } from '../../../../schemas/sdk/tree/add-log.ts'
import { readQuery } from '../../../language/read-query.ts'
import { printRootPath } from '../../server/print-root-path.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addLog = serveCommand(
  published,
  async (input, { clock, patterns, requireVisible, requireEditable }) => {
    const { name, parentFolder: parent = [], collectionPolicy, appTags, account } = input
    await requireVisible({ kind: 'folder', levels: parent })
    await requireEditable(
      input.update === true
        ? { kind: 'log', levels: [...parent, name] }
        : { kind: 'folder', levels: parent },
    )
    requireFilter(input.dataFilterQuery ?? '')
    if (input.pattern !== undefined && input.pattern.length > 0) {
      const verified = patterns.verify(input.pattern, '', clock.nowMs())
      if (typeof verified === 'string')
        throw new Failure('sdk.argument', { argument: 'pattern', reason: verified })
    }
    return async (transaction) => {
      const policy =
        collectionPolicy === undefined
          ? undefined
          : await requirePolicy(transaction, collectionPolicy)
      const change: LogChange = {
        description: input.description,
        policyId: policy?.id,
        appTags: appTags === undefined ? undefined : await ensureAppTags(transaction, appTags),
        definition: {
          patterns: input.pattern,
          filePaths: input.filePaths,
          account:
            account === undefined || account === ''
              ? account
              : await requireBookAccount(transaction, account),
          unc: input.unc,
          template: input.template,
          charSet: input.charSet,
          timeZone: input.timeZone,
          dataFilterQuery: input.dataFilterQuery,
        },
      }
      const place = { parent, name }
      const { id, definition } =
        input.update === true
          ? await changeLog(transaction, place, change)
          : await add(transaction, clock, place, change)
      return {
        id: `l${id}`,
        path: printRootPath([...parent, name]),
        notes: [...notesOn(definition), ...notesOnPolicy(policy)],
      }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

/** A filter alone: what stands after a bar makes rows of events, and collects none. */
function requireFilter(text: string): void {
  if (text.trim() === '') return
  const refuse = (reason: string, cause?: unknown) =>
    new Failure('sdk.argument', { argument: 'dataFilterQuery', reason }, cause)
  try {
    const { query } = readQuery({ text, visibleLogs: [], columns: new Map() })
    if (query.stages.length === 0 && query.source.kind === 'filterSource') return
  } catch (error) {
    throw isFailure(error) ? refuse(error.message, error) : error
  }
  throw refuse('must be a filter, without anything after a |')
}

/** What is kept and has no effect in this version (decision 8.5). */
function notesOn(definition: LogDefinition): string[] {
  const { filePaths, unc, patterns, template, charSet, timeZone, dataFilterQuery } = definition
  const notes: string[] = []
  if (filePaths.length > 0) notes.push('filePaths: kept, but files are not read yet')
  if (unc !== '') notes.push('unc: kept, but Windows Event Logs are not read yet')
  if (patterns.length > 0) notes.push('pattern: kept, but not applied yet')
  if (template !== '') notes.push('template: kept, but not applied yet')
  if (charSet !== null) notes.push('charSet: kept, but files are not read yet')
  if (timeZone !== null) notes.push('timeZone: kept, but files are not read yet')
  if (dataFilterQuery.trim() !== '') notes.push('dataFilterQuery: kept, but not applied yet')
  return notes
}
