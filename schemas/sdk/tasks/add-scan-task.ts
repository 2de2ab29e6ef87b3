// Makes or changes a task that reads a directory of logs.
import { z } from 'zod'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { requireWhenNew } from '../book-account.ts'
import {
  directoryValue,
  fileNamesValue,
  scanLevelValue,
  taskAnswer,
  taskArguments,
  taskNameArgument,
} from '../task-values.ts'
import { inFolderValue, listValue, textValue } from '../values.ts'

export const addScanTask = {
  name: 'addScanTask',
  help: 'Makes a task that reads the files of a directory into logs, by a schedule or when executeScanTask asks: a log for each series of rotated files, in folders as the directories.',
  operation: 'data.tasks',
  sees: { kind: 'paths', paths: ['task'] },
  target: 'name',
  input: z
    .strictObject({
      name: taskNameArgument,
      directory: argument(directoryValue.optional(), {
        description:
          'the directory, from the root of this machine, or as the account leads to it; required for a new task',
        hint: '/var/log',
      }),
      account: argument(textValue.optional(), {
        description: 'account of the address book that reaches it; empty for this machine',
        hint: '<name>',
      }),
      parentFolder: argument(inFolderValue.optional(), {
        description: 'the folder of its logs, which must be there; default ROOT',
        hint: 'Web->Edge',
      }),
      collectionPolicy: argument(objectNameSchema.optional(), {
        description: 'collection policy of its logs; default Default',
        hint: '<name>',
      }),
      appTags: argument(listValue.optional(), {
        description: 'tags of its logs; a tag that does not exist is made',
        hint: 'a,b',
      }),
      template: argument(textValue.optional(), {
        description: 'template of its logs; empty for none',
        hint: '<name>',
      }),
      include: argument(fileNamesValue.optional(), {
        description: 'names of the files that are read; empty for all',
        hint: '*.log,access.?',
      }),
      exclude: argument(fileNamesValue.optional(), {
        description: 'names of files that are not read; empty for none',
        hint: '*.gz',
      }),
      scanLevel: argument(scanLevelValue.optional(), {
        description: 'levels of directories below it; 0 for none, empty for all; default all',
        hint: '2',
      }),
      ...taskArguments,
    })
    .superRefine(requireWhenNew(['directory'])),
  answer: taskAnswer,
} as const satisfies CommandEntry
