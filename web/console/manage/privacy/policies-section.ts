import { makeObjectsSection } from '../objects/objects-section.tsx'
import { PolicyMasks } from './policy-masks.tsx'
import { PRIVACY_TEXTS } from './texts.ts'

export const PoliciesSection = makeObjectsSection(['policy'], {
  policy: { tabs: [{ name: 'masks', text: PRIVACY_TEXTS.tabView, Content: PolicyMasks }] },
})
