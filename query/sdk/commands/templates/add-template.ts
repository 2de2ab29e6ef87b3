// addTemplate: makes a template, or with -update changes one.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import {
  addTemplate as add,
  changeTemplate,
  ownTemplates,
} from '../../../../infra/metastore/templates/template-changes.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { addTemplate as published } from '../../../../schemas/sdk/templates/add-template.ts'
import { BUILT_IN_TEMPLATES } from '../../../../schemas/templates/built-in-templates.ts'
import { templateNamed } from '../../../../schemas/templates/template.ts'
import { requirePatterns } from '../../server/pattern-tools.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addTemplate = serveCommand(
  published,
  (input, { clock, patterns: tools }) => {
    const { name, logTypes, patterns, description, maskRules, enabled: isEnabled } = input
    const isNew = input.update !== true
    if (patterns !== undefined) requirePatterns(tools, 'patterns', patterns, clock.nowMs())
    const given = { logTypes, patterns, description, maskRules, isEnabled }
    return async (transaction) => {
      if (!isNew) await refuseBuiltIn(transaction, name)
      const template = isNew
        ? await add(transaction, clock, name, {
            logTypes: required('logTypes', logTypes),
            patterns: required('patterns', patterns),
            description: description ?? '',
            maskRules: maskRules ?? [],
            isEnabled,
          })
        : await changeTemplate(transaction, clock, name, given)
      const isInPlace = templateNamed(BUILT_IN_TEMPLATES, name) !== undefined
      return {
        name: template.name,
        enabled: template.isEnabled,
        logTypes: template.logTypes,
        patterns: template.patterns.length,
        notes: isInPlace ? ['stands in the place of the built-in template of this name'] : [],
      }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

function required<T>(argument: string, value: T | undefined): T {
  if (value === undefined) throw new Failure('sdk.argument', { argument, reason: 'is missing' })
  return value
}

async function refuseBuiltIn(transaction: DatabaseTransaction, name: string): Promise<void> {
  const builtIn = templateNamed(BUILT_IN_TEMPLATES, name)
  if (builtIn === undefined) return
  if (templateNamed(await ownTemplates(transaction), name) !== undefined) return
  const hint = 'without -update true you make one of this name, which takes its place'
  throw new Failure('object.built_in', { kind: 'template', name: builtIn.name, hint })
}
