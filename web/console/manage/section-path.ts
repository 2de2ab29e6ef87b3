// Addresses of the sections.
import { BASE } from '../../shared/address.ts'
import type { MANAGE } from './texts.ts'

export type SectionId = keyof typeof MANAGE.pages

export function sectionPath(id: SectionId): string {
  return `${BASE}/manage/${id}`
}
