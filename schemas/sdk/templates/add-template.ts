// Makes or changes a template (docs/reference/patterns.md).
import { z } from 'zod'
import { maskRulesValue } from '../../masking/mask-rules-value.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { patternsValue } from '../sample.ts'
import { flagValue, listValue, textValue } from '../values.ts'

const MAX_TYPES = 32
const TYPE = /^[^\s,]{1,64}$/u

const logTypesValue = listValue
  .transform((words) => [...new Set(words.map((word) => word.toLowerCase()))])
  .refine((words) => words.length > 0, 'must name at least one type')
  .refine((words) => words.length <= MAX_TYPES, `must have at most ${MAX_TYPES} words`)
  .refine(
    (words) => words.every((word) => TYPE.test(word)),
    'must be words of at most 64 characters, without spaces',
  )

export const addTemplate = {
  name: 'addTemplate',
  help: 'Makes a template: patterns for the logs of some types. Applies to data received from then on.',
  operation: 'data.listeners',
  sees: { kind: 'paths', paths: ['template'] },
  target: 'name',
  input: z.strictObject({
    name: argument(objectNameSchema, {
      description:
        'name of the template; letter case does not tell two apart; that of a built-in one takes its place',
      hint: '<name>',
    }),
    update: argument(flagValue.optional(), {
      description: 'true: changes the template of this name; what is not given stays',
      hint: 'true|false',
      isFlag: true,
    }),
    logTypes: argument(logTypesValue.optional(), {
      description:
        'words of its types; it is taken for a productType all of whose words are among them; needed for a new one',
      hint: 'httpd,access',
    }),
    patterns: argument(patternsValue.optional(), {
      description:
        'its patterns, the first that fits a message counts; @#@# between them; needed for a new one',
      hint: '{ip:IP} {text:Message}@#@#{text:Message}',
    }),
    maskRules: argument(maskRulesValue.optional(), {
      description:
        'rules of masking for the events that meet it, beside those of their account, @#@# between them: hash, cut or replace <text>, then email, card, ipv4, ipv6, bearer, iban, phone, column <name> or pattern <pattern>; empty for none',
      hint: 'hash email@#@#cut column user.password',
    }),
    description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
    enabled: argument(flagValue.optional(), {
      description: 'whether it is applied; default true',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({
    name: z.string(),
    enabled: z.boolean(),
    logTypes: z.array(z.string()).readonly(),
    patterns: z.number(),
    notes: z.array(z.string()).readonly(),
  }),
} as const satisfies CommandEntry
