import { makeObjectsSection } from '../objects/objects-section.tsx'
import { ListenerMasks } from '../privacy/listener-masks.tsx'
import { PRIVACY_TEXTS } from '../privacy/texts.ts'
import { ListenerShaping } from './listener-shaping.tsx'
import { LISTENER_TEXTS } from './texts.ts'

export const ListenersSection = makeObjectsSection(['listener'], {
  listener: {
    tabs: [
      { name: 'masks', text: PRIVACY_TEXTS.tabIntake, Content: ListenerMasks },
      { name: 'shaping', text: LISTENER_TEXTS.tabShaping, Content: ListenerShaping },
    ],
  },
})
