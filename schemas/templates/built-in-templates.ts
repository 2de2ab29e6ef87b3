// The templates that every system has. A template of an operator with the same type comes first.
import { APPLICATION_TEMPLATES } from './applications.ts'
import { SECURITY_TEMPLATES } from './security.ts'
import { SYSTEM_TEMPLATES } from './system.ts'
import type { Template } from './template.ts'
import { WEB_TEMPLATES } from './web.ts'

export const BUILT_IN_TEMPLATES: readonly Template[] = [
  ...WEB_TEMPLATES,
  ...SYSTEM_TEMPLATES,
  ...APPLICATION_TEMPLATES,
  ...SECURITY_TEMPLATES,
]
