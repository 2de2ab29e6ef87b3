// Addresses of the sections.
import { BASE } from '../../shared/address.ts'
import type { SectionId } from './section-rights.ts'

export function sectionPath(id: SectionId): string {
  return `${BASE}/manage/${id}`
}
