// Templates: which values of an event become columns, and which of them are masked.

import { BUILT_IN_TEMPLATES } from '../../../schemas/templates/built-in-templates.ts'
import { type Template, templateNamed } from '../../../schemas/templates/template.ts'
import { foldName } from '../../database/fold-name.ts'
import { readCurrentSettings } from '../accounts/account-settings.ts'
import { readTextList } from '../json-list.ts'
import { listTasks } from '../tasks/tasks.ts'
import { newestTemplateNumber, readOwnTemplates } from '../templates/template-versions.ts'
import { NO_DEFINITION, readLogDefinition } from '../tree/log-definitions.ts'
import type { EventLog } from './event-nodes.ts'
import { belowFolder } from './listener-paths.ts'
import type { Concern, PathEntry, ReadPaths } from './port.ts'

export const readTemplatePaths: ReadPaths = async (transaction, { logs }) => {
  const number = await newestTemplateNumber(transaction)
  const scans = (await listTasks(transaction, 'scan')).map(({ settings }) => settings)
  const given = [...(await readCurrentSettings(transaction)), ...scans]

  const concernsOf = (template: Template): Concern[] => {
    const isIt = (name = '') => foldName(name) === foldName(template.name)
    // One stands in the place of the built-in one of its name.
    const builtIn = templateNamed(BUILT_IN_TEMPLATES, template.name)
    const types = new Set([...template.logTypes, ...(builtIn?.logTypes ?? [])])
    return [
      ...[...logs.values()]
        .filter((log) => isOfType(log, types) || isIt(templateOf(log)))
        .map(({ id }): Concern => ({ kind: 'node', node: { kind: 'log', id }, asks: 'view' })),
      ...given
        .filter((one) => isIt(one.template))
        .map(({ parentFolder }) => belowFolder(parentFolder, 'view')),
    ]
  }

  const templates = await readOwnTemplates(transaction, number)
  return new Map(
    templates.map((template): [string, PathEntry] => [
      `template ${foldName(template.name)}`,
      {
        mark: JSON.stringify({ ...template, description: '' }),
        name: `the template ${template.name}`,
        object: template.name,
        concerns: () => concernsOf(template),
      },
    ]),
  )
}

function isOfType({ typeWords }: EventLog, types: ReadonlySet<string>): boolean {
  return readTextList(typeWords).some((word) => types.has(word.toLowerCase()))
}

function templateOf({ definition }: EventLog): string {
  return definition === NO_DEFINITION ? '' : readLogDefinition(definition).template
}
