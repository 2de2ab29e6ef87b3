import { useState } from 'preact/hooks'
import type { OfferTold } from '../../../schemas/portal/offers.ts'
import { go } from '../../shared/address.ts'
import { toast } from '../../shared/parts/toast.tsx'
import { ask } from '../api/ask.ts'
import { hasRole, session } from '../api/session.ts'
import { Page } from '../parts/page.tsx'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { contentOf, emptyDraft, planOf } from './draft.ts'
import { OfferBuilder } from './offer-builder.tsx'

const T = WORKSPACE.offers

export function NewOffer() {
  const [draft, setDraft] = useState(emptyDraft)
  const name = session.value?.organization?.name ?? ''
  return (
    <Page
      title={T.newFor(name)}
      back={{ path: PATHS.offers, name: WORKSPACE.pages.offers }}
      intro={T.builderIntro}
    >
      <OfferBuilder
        draft={draft}
        onChange={setDraft}
        submit={T.saveDraft}
        onSubmit={async () => {
          const body = {
            ...{ title: draft.title, content: contentOf(draft) },
            validUntil: `${draft.validUntil}T23:59:59Z`,
            ...(hasRole('sales', 'operator') ? planOf(draft) : {}),
          }
          const { id } = await ask<OfferTold>('/offers', { body })
          toast(T.saved)
          go(`${PATHS.offers}/${id}`, { isNew: false })
        }}
        onCancel={() => go(PATHS.offers)}
      />
    </Page>
  )
}
