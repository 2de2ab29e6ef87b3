import { address } from '../../shared/address.ts'
import { isSeller } from '../api/session.ts'
import { itemOf } from '../shell/paths.ts'
import { NewOffer } from './new-offer.tsx'
import { OfferList } from './offer-list.tsx'
import { OfferPage } from './offer-page.tsx'

export function OffersPage() {
  const id = itemOf(address.value.path)
  if (id === undefined) return <OfferList />
  if (id === 'new' && isSeller()) return <NewOffer />
  return <OfferPage key={id} id={id} />
}
