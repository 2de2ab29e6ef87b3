// addLog: makes a log, or with -update changes one.

import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { fixedPartOf } from '../../../../infra/files/path-rules.ts'
import {
  type BookAccount,
  findBookAccount,
  requireBookAccount,
} from '../../../../infra/metastore/address-book/book-accounts.ts'
import { requirePolicy } from '../../../../infra/metastore/policies/collection-policies.ts'
import { requireLog } from '../../../../infra/metastore/tree/find-node.ts'
import {
  addLog as add,
  changeLog,
  type LogChange,
} from '../../../../infra/metastore/tree/log-changes.ts'
import { readLogDefinition } from '../../../../infra/metastore/tree/log-definitions.ts'
import { ensureAppTags } from '../../../../infra/metastore/tree/named-objects.ts'
import { ACCOUNT_SETTINGS, type BookAccountKind } from '../../../../schemas/address-book.ts'
import { notesOnPolicy } from '../../../../schemas/collection-policy.ts'
import { Failure } from '../../../../schemas/failures.ts'
import type { LogDefinition } from '../../../../schemas/log-definition.ts'
import type { SdkInput } from '../../../../schemas/sdk/commands.ts'
import { addLog as published } from '../../../../schemas/sdk/tree/add-log.ts'
import { mountedPath } from '../../../../schemas/windows-path.ts'
import { isOfLanguage } from '../../../language/check/offer-rewritten.ts'
import { readQuery } from '../../../language/read-query.ts'
import type { PathTools } from '../../server/path-tools.ts'
import { requireEventFilter } from '../../server/pattern-tools.ts'
import { printRootPath } from '../../server/print-root-path.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addLog = serveCommand(
  published,
  async (input, { clock, patterns, paths, requireVisible, requireEditable }) => {
    const { name, parentFolder: parent = [], collectionPolicy, appTags, account } = input
    const folder = { kind: 'folder' as const, levels: parent }
    if (input.update === true) await requireEditable({ kind: 'log', levels: [...parent, name] })
    else {
      await requireVisible(folder)
      await requireEditable(folder)
    }
    requireEventFilter('dataFilterQuery', input.dataFilterQuery ?? '', ['message'])
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
      const mounted = await readMounted(transaction, input)
      const change: LogChange = {
        description: input.description,
        policyId: policy?.id,
        appTags: appTags === undefined ? undefined : await ensureAppTags(transaction, appTags),
        definition: {
          patterns: input.pattern,
          filePaths: mounted === undefined ? input.filePaths : [mounted],
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
      const book = await findBookAccount(transaction, definition.account)
      const isRedefined = Object.values(change.definition ?? {}).some((it) => it !== undefined)
      if (isRedefined) requirePaths(definition, book, paths)
      const kind = book?.kind
      return {
        id: `l${id}`,
        path: printRootPath([...parent, name]),
        notes: [...notesOn(definition, kind), ...notesOnPolicy(policy)],
      }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

/** Of this machine, also those that the log had before; a mounted share is open to its logs. */
function requirePaths(
  { account, filePaths }: LogDefinition,
  book: BookAccount | undefined,
  paths: PathTools,
): void {
  if (account !== '' && book?.kind !== 'windowsShare') return
  const mount =
    book?.kind === 'windowsShare'
      ? ACCOUNT_SETTINGS.windowsShare.parse(book.settings).mountPath
      : ''
  for (const path of filePaths)
    paths.requireReadable('filePaths', path, mount === '' ? [] : [fixedPartOf(mount)])
}

/** Where the path of a Windows share lies that an account says is mounted; undefined: there is no
 *  such account, or nothing is said of either. Fails with sdk.argument. */
async function readMounted(
  transaction: DatabaseTransaction,
  input: SdkInput<'addLog'>,
): Promise<string | undefined> {
  const { filePaths } = input
  if (input.unc === undefined && (input.account === undefined || filePaths !== undefined))
    return undefined
  const { unc, account } = await readShared(transaction, input)
  if (unc === '' || account === '') return undefined
  const book = await findBookAccount(transaction, account)
  if (book?.kind !== 'windowsShare') return undefined
  const share = ACCOUNT_SETTINGS.windowsShare.parse(book.settings)
  const refuse = (reason: string) => new Failure('sdk.argument', { argument: 'unc', reason })
  if (share.mountPath === '')
    throw refuse(`the share of ${book.name} is mounted nowhere: give it a -mountPath`)
  const path = mountedPath(unc, share)
  if (path === undefined) throw refuse(`must lie below the share of ${book.name}, ${share.share}`)
  // As it was exported, with the paths that were made of it.
  if (filePaths !== undefined && filePaths.join() !== path)
    throw refuse('is given instead of filePaths')
  return path
}

/** What a change does not say stays as it is. */
async function readShared(
  transaction: DatabaseTransaction,
  { name, parentFolder = [], update, unc, account }: SdkInput<'addLog'>,
): Promise<Pick<LogDefinition, 'unc' | 'account'>> {
  if (update !== true) return { unc: unc ?? '', account: account ?? '' }
  const { definition } = await requireLog(transaction, [...parentFolder, name])
  const before = readLogDefinition(definition)
  return { unc: unc ?? before.unc, account: account ?? before.account }
}

/** What is kept and has no effect in this version (decision 8.5), and what in a filter is of
 *  another language. */
function notesOn(definition: LogDefinition, kind: BookAccountKind | undefined): string[] {
  const { filePaths, unc, patterns, template, charSet, timeZone, dataFilterQuery } = definition
  const notes = notesOnFilter(dataFilterQuery)
  if (unc !== '')
    notes.push(
      kind === 'windowsShare'
        ? `unc: read as ${filePaths.join()} at the node of the collector`
        : 'unc: kept; it is read with -account and a Windows share account that is mounted',
    )
  if (filePaths.length > 0)
    return kind === 'remoteProduct' ? [...notes, ...notesOnCopy(definition)] : notes
  // What is said of files has an effect where some are read.
  if (patterns.length > 0) notes.push('pattern: has no effect without filePaths')
  if (template !== '') notes.push('template: has no effect without filePaths')
  if (charSet !== null) notes.push('charSet: has no effect without filePaths')
  if (timeZone !== null) notes.push('timeZone: has no effect without filePaths')
  if (dataFilterQuery.trim() !== '') notes.push('dataFilterQuery: has no effect without filePaths')
  return notes
}

/** What is copied has its columns and its times. */
function notesOnCopy({ patterns, template, charSet, timeZone }: LogDefinition): string[] {
  const given = { pattern: patterns.length > 0, template: template !== '' }
  const all = { ...given, charSet: charSet !== null, timeZone: timeZone !== null }
  return Object.entries(all)
    .filter(([, isGiven]) => isGiven)
    .map(([name]) => `${name}: has no effect, events are copied with their columns and times`)
}

/** Its columns are not known yet. */
function notesOnFilter(text: string): string[] {
  if (text.trim() === '') return []
  const { warnings } = readQuery({ text, visibleLogs: [], columns: new Map() })
  return warnings.filter(isOfLanguage).map(({ message }) => `dataFilterQuery: ${message}`)
}
