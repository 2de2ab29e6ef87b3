// Makes or changes a task that copies logs of several machines into a repository.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { requireWhenNew } from '../book-account.ts'
import { taskAnswer, taskArguments, taskNameArgument } from '../task-values.ts'
import { nodeNameValue } from '../values.ts'

const MAX_SYNC_FILE_BYTES = 256 * 1024

/** The text of the file; in the client its name. */
const syncFileValue = z
  .string()
  .refine((text) => text.trim() !== '', 'must name a file')
  .refine(
    (text) => new TextEncoder().encode(text).length <= MAX_SYNC_FILE_BYTES,
    `must have at most ${MAX_SYNC_FILE_BYTES / 1024} KiB`,
  )

export const addSyncLogTask = {
  name: 'addSyncLogTask',
  help: 'Makes a task that copies the logs of several machines into one repository, a folder or a bucket, by a schedule or when executeTask asks: what changed is copied anew, and compared with its checksum at an interval.',
  operation: 'data.tasks',
  sees: { kind: 'paths', paths: ['task'] },
  target: 'name',
  input: z
    .strictObject({
      name: taskNameArgument,
      configFile: argument(syncFileValue.optional(), {
        description:
          'XML file that names repository, machines and directories, which is read now and kept; required for a new task',
        hint: '<file.xml>',
        isFile: true,
        maxFileBytes: MAX_SYNC_FILE_BYTES,
      }),
      assignedNode: argument(nodeNameValue.optional(), {
        description: 'node of a cluster that runs it; empty for any',
        hint: '<node>',
      }),
      ...taskArguments,
    })
    .superRefine(requireWhenNew(['configFile'])),
  answer: taskAnswer,
} as const satisfies CommandEntry
