// The name of a template, own or built in, inside the caller's transaction.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { BUILT_IN_TEMPLATES } from '../../../schemas/templates/built-in-templates.ts'
import { templateNamed } from '../../../schemas/templates/template.ts'
import type { Tables } from '../../database/tables.ts'
import { ownTemplates } from './template-changes.ts'

/** Gives it as it is spelled; '' stays. Fails with object.not_found. */
export async function requireTemplate(
  transaction: Transaction<Tables>,
  name: string,
): Promise<string> {
  if (name.trim() === '') return ''
  const found =
    templateNamed(await ownTemplates(transaction), name) ?? templateNamed(BUILT_IN_TEMPLATES, name)
  if (found === undefined) throw new Failure('object.not_found', { kind: 'template', name })
  return found.name
}
