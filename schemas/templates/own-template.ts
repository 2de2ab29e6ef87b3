// A template of an operator, and which templates are in force beside it (docs/decisions/0041).
import { z } from 'zod'
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts'
import type { Template } from './template.ts'

/** What one version holds; a row keeps it in one text. */
export const templateSettingsSchema = z.object({
  description: z.string(),
  logTypes: z.array(z.string()).readonly(),
  patterns: z.array(z.string()).readonly(),
  maskRules: z.array(z.string()).readonly().optional(),
})

export type TemplateSettings = Readonly<z.infer<typeof templateSettingsSchema>>

export type OwnTemplate = TemplateSettings & {
  readonly name: string
  readonly isEnabled: boolean
}

/** Own ones first, in the order in which they were made. One stands in the place of the built-in
 *  one of its name, also while it is disabled. */
export function templatesInForce(own: readonly OwnTemplate[]): readonly Template[] {
  if (own.length === 0) return BUILT_IN_TEMPLATES
  const names = new Set(own.map(({ name }) => name.toLowerCase()))
  return [
    ...own.filter(({ isEnabled }) => isEnabled),
    ...BUILT_IN_TEMPLATES.filter(({ name }) => !names.has(name.toLowerCase())),
  ]
}
