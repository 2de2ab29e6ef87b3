// Makes or changes a log.
import { z } from 'zod'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { patternListValue } from '../sample.ts'
import { directoryFault } from '../task-values.ts'
import {
  charSetValue,
  entriesValue,
  flagValue,
  inFolderValue,
  levelValue,
  listValue,
  textValue,
  timeZoneValue,
} from '../values.ts'

/** Without `..`: after a wildcard, the roots could be checked only when files are read. */
const pathsValue = entriesValue.superRefine((paths, context) => {
  for (const path of paths) {
    const reason = path === '' ? undefined : directoryFault(path)
    if (reason !== undefined) context.addIssue({ code: 'custom', message: reason })
  }
})

export const addLog = {
  name: 'addLog',
  help: 'Makes a log. One that was removed comes back with its events. Files of the machine where the role collector runs are read into it, or those that its account reaches; what has no effect yet is kept, and the answer says so.',
  operation: 'data.logs',
  sees: { kind: 'paths', paths: ['folder', 'log'] },
  target: 'name',
  input: z.strictObject({
    name: argument(levelValue, {
      description: 'name of the log; letter case tells two apart',
      hint: '<name>',
    }),
    parentFolder: argument(inFolderValue.optional(), {
      description: 'the folder that it lies in, which must be there; default ROOT',
      hint: 'Web->Edge',
    }),
    description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
    filePaths: argument(pathsValue.optional(), {
      description:
        'files that are read into it, from the root of the machine or bucket; * ? ** [a-z] {string} {date,<format>}; with a remote product account logs there, such as Web->Edge->access',
      hint: '/var/log/a.log@#@#/var/log/b.log',
    }),
    account: argument(textValue.optional(), {
      description:
        'SSH, S3, remote product or Windows share account of the address book that reaches the files or logs; empty for the machine of the collector',
      hint: '<name>',
    }),
    unc: argument(textValue.optional(), {
      description:
        'files of a Windows share, such as exported Windows Event Logs, where the Windows share account given as -account says that it is mounted; in place of filePaths; empty for none',
      hint: '\\\\host\\logs\\*.evtx',
    }),
    pattern: argument(patternListValue.optional(), {
      description: 'data patterns, tried in this order; empty for none',
      hint: '{date:Date} {text:Message}@#@#{text:Message}',
    }),
    template: argument(textValue.optional(), {
      description: 'template of the log; empty for none',
      hint: '<name>',
    }),
    collectionPolicy: argument(objectNameSchema.optional(), {
      description: 'collection policy; default Default; cannot be changed later',
      hint: '<name>',
    }),
    appTags: argument(listValue.optional(), {
      description: 'tags of the log; a tag that does not exist is made',
      hint: 'a,b',
    }),
    charSet: argument(charSetValue.optional(), {
      description: 'character set of the files; empty for UTF-8',
      hint: 'ISO-8859-1',
    }),
    timeZone: argument(timeZoneValue.optional(), {
      description: 'zone of times in the files that name none; empty for the default',
      hint: 'Europe/Berlin',
    }),
    dataFilterQuery: argument(textValue.optional(), {
      description:
        'filter of the search language, by which lines of files are collected; empty for none',
      hint: 'error or warning',
    }),
    update: argument(flagValue.optional(), {
      description: 'true: changes the log of this name; what is not given stays',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({
    id: z.string(),
    path: z.string(),
    /** What of the definition has no effect yet. */
    notes: z.array(z.string()),
  }),
} as const satisfies CommandEntry
