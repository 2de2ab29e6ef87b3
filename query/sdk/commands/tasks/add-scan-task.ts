// addScanTask: makes a task that reads a directory, or with -update changes one.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { requireBookAccount } from '../../../../infra/metastore/address-book/book-accounts.ts'
import { requirePolicy } from '../../../../infra/metastore/policies/collection-policies.ts'
import { addTask, changeTask, type TaskChange } from '../../../../infra/metastore/tasks/tasks.ts'
import { requireTemplate } from '../../../../infra/metastore/templates/require-template.ts'
import { requireFolder } from '../../../../infra/metastore/tree/find-node.ts'
import { ensureAppTags } from '../../../../infra/metastore/tree/named-objects.ts'
import { notesOnPolicy } from '../../../../schemas/collection-policy.ts'
import { Failure } from '../../../../schemas/failures.ts'
import type { SdkInput } from '../../../../schemas/sdk/commands.ts'
import { isWholePath } from '../../../../schemas/sdk/task-values.ts'
import { addScanTask as published } from '../../../../schemas/sdk/tasks/add-scan-task.ts'
import { serveCommand } from '../../server/serve-command.ts'
import { describeTask } from '../../tasks/describe-task.ts'
import { requireSeenScanTask } from '../../tasks/seen-folder.ts'

const DEFAULTS = {
  ...{ cron: '', account: '', parentFolder: [], policyId: 1, appTags: [], template: '' },
  ...{ include: [], exclude: [], scanLevel: null },
}

export const addScanTask = serveCommand(
  published,
  async (input, { clock, database, objects, paths, requireVisible, requireEditable }) => {
    const { name, parentFolder, collectionPolicy } = input
    if (input.update === true) {
      const viewer = await objects.viewer()
      const { settings } = await database.snapshot((transaction) =>
        requireSeenScanTask(transaction, name, viewer),
      )
      await requireEditable({ kind: 'folder', levels: settings.parentFolder })
    }
    if (parentFolder !== undefined || input.update !== true) {
      const place = { kind: 'folder', levels: parentFolder ?? [] } as const
      await requireVisible(place)
      await requireEditable(place)
    }
    return async (transaction) => {
      if (parentFolder !== undefined) await requireFolder(transaction, parentFolder)
      const policy =
        collectionPolicy === undefined
          ? undefined
          : await requirePolicy(transaction, collectionPolicy)
      const change = await readChange(transaction, input, policy?.id)
      const task =
        input.update === true
          ? await changeTask(transaction, clock, { kind: 'scan', name, ...change })
          : await addTask(transaction, clock, { kind: 'scan', name, defaults: DEFAULTS, ...change })
      if (task.settings.account === '' && !isWholePath(task.settings.directory))
        throw new Failure('sdk.argument', {
          argument: 'directory',
          reason: 'must be a whole path such as /var/log, since no account is given',
        })
      if (task.settings.account === '') paths.requireReadable('directory', task.settings.directory)
      const answer = await describeTask(transaction, task, clock.nowMs())
      return { ...answer, notes: [...answer.notes, ...notesOnPolicy(policy)] }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

/** Only what was given. */
async function readChange(
  transaction: DatabaseTransaction,
  input: SdkInput<'addScanTask'>,
  policyId: number | undefined,
): Promise<TaskChange<'scan'>> {
  const { account, appTags, template } = input
  return {
    description: input.description,
    isEnabled: input.enabled,
    settings: {
      ...{ cron: input.cron, directory: input.directory, parentFolder: input.parentFolder },
      ...{ include: input.include, exclude: input.exclude, scanLevel: input.scanLevel, policyId },
      account:
        account === undefined || account === ''
          ? account
          : await requireBookAccount(transaction, account),
      appTags: appTags === undefined ? undefined : await ensureAppTags(transaction, appTags),
      template: template === undefined ? undefined : await requireTemplate(transaction, template),
    },
  }
}
