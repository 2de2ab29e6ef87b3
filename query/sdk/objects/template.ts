// Templates, own and built in. A built-in one is not changed: one of its name takes its place.
import {
  ownTemplates,
  removeTemplate,
} from '../../../infra/metastore/templates/template-changes.ts'
import { Failure, isFailure } from '../../../schemas/failures.ts'
import { PATTERN_SEPARATOR } from '../../../schemas/sdk/sample.ts'
import { BUILT_IN_TEMPLATES } from '../../../schemas/templates/built-in-templates.ts'
import { type Template, templateNamed } from '../../../schemas/templates/template.ts'
import type { ObjectArguments, ObjectKind } from './object-kind.ts'
import { printList } from './print-values.ts'

export const template: ObjectKind = {
  type: 'template',
  command: 'addTemplate',
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  readAll: async (transaction) => {
    const own = await ownTemplates(transaction)
    const builtIn = BUILT_IN_TEMPLATES.filter(({ name }) => templateNamed(own, name) === undefined)
    return [
      ...own.map((one) => ({
        name: one.name,
        arguments: describe(one, one.description, one.isEnabled),
      })),
      ...builtIn.map((one) => ({
        name: one.name,
        arguments: describe(one, '', true),
        origin: 'product' as const,
        isReplaceable: true,
      })),
    ]
  },
  removal: {
    remove: async (transaction, name, nowMs) => {
      try {
        await removeTemplate(transaction, { nowMs: () => nowMs }, name)
      } catch (error) {
        const isBuiltIn = templateNamed(BUILT_IN_TEMPLATES, name) !== undefined
        if (isBuiltIn && isFailure(error) && error.code === 'object.not_found')
          throw new Failure('object.built_in', { kind: 'template', name }, error)
        throw error
      }
    },
  },
}

function describe(
  { name, logTypes, patterns, maskRules = [] }: Template,
  description: string,
  isEnabled: boolean,
): ObjectArguments {
  return {
    name,
    logTypes: printList(logTypes),
    patterns: patterns.join(PATTERN_SEPARATOR),
    description,
    maskRules: maskRules.join(PATTERN_SEPARATOR),
    enabled: String(isEnabled),
  }
}
