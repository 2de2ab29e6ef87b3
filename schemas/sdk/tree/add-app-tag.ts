// Makes or changes an app tag.
import { z } from 'zod'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { parametersValue, pathListValue } from '../tag-values.ts'
import { flagValue, listValue, textValue, timeZoneValue } from '../values.ts'

export const addAppTag = {
  name: 'addAppTag',
  help: 'Makes an app tag: logs that are members by hand, by a source query or as logs of an account, beside those that were given it by name (-appTags of addLog and addListener).',
  operation: 'data.appTags',
  sees: { kind: 'nothing', because: 'a tag only narrows what its reader may view' },
  target: 'name',
  input: z.strictObject({
    name: argument(
      objectNameSchema.refine(
        (name) => !/[,|()"*?\\]|->/.test(name),
        'must hold no , | ( ) " * ? \\ and no ->',
      ),
      {
        description: 'name of the tag; letter case does not tell two apart, but counts in a scope',
        hint: '<name>',
      },
    ),
    description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
    sourceQuery: argument(textValue.optional(), {
      description:
        'which logs are members, as the scope of a search: log., folder., apptag. and type. with * and ?; asked when the tag is, so new logs join by themselves; server. and file. are refused, since they name no logs; empty for none',
      hint: 'folder.Web, log.access*',
    }),
    folders: argument(pathListValue.optional(), {
      description: 'members by hand: folders with all that lies below them; replaces those before',
      hint: 'Web->Edge,Shop',
    }),
    logs: argument(pathListValue.optional(), {
      description: 'members by hand: logs by their path; replaces those before',
      hint: 'Web->Edge->access',
    }),
    accounts: argument(listValue.optional(), {
      description: 'members by hand: listener accounts, with all logs that they made',
      hint: 'a,b',
    }),
    parameters: argument(parametersValue.optional(), {
      description: 'static parameters of the tag; replaces those before; empty for none',
      hint: 'owner=shop team,tier=1',
    }),
    timeZone: argument(timeZoneValue.optional(), {
      description: 'zone of searches in this tag, in time-zone mode tag; empty for none',
      hint: 'Europe/Berlin',
    }),
    update: argument(flagValue.optional(), {
      description: 'true: changes the tag of this name; what is not given stays',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({ name: z.string(), notes: z.array(z.string()) }),
} as const satisfies CommandEntry
