// Makes or changes a folder.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue, inFolderValue, levelValue, textValue } from '../values.ts'

export const addFolder = {
  name: 'addFolder',
  help: 'Makes a folder. One that was removed comes back empty; the logs in it come back as they are made again.',
  operation: 'data.logs',
  sees: { kind: 'paths', paths: ['folder'] },
  target: 'name',
  input: z.strictObject({
    name: argument(levelValue, {
      description: 'name of the folder; letter case tells two apart',
      hint: '<name>',
    }),
    parentFolder: argument(inFolderValue.optional(), {
      description: 'the folder that it lies in, which must be there; default ROOT',
      hint: 'Web->Edge',
    }),
    description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
    update: argument(flagValue.optional(), {
      description: 'true: changes the folder of this name; what is not given stays',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({ id: z.string(), path: z.string() }),
} as const satisfies CommandEntry
