import { address } from '../../shared/address.ts'
import { isSeller, session } from '../api/session.ts'
import { itemOf } from '../shell/paths.ts'
import { ChooseCustomer } from './choose-customer.tsx'
import { NewOffer } from './new-offer.tsx'
import { OfferList } from './offer-list.tsx'
import { OfferPage } from './offer-page.tsx'

export function OffersPage() {
  const id = itemOf(address.value.path)
  if (id === undefined) return <OfferList />
  if (id === 'new' && isSeller())
    return session.value?.organization?.kind === 'customer' ? <NewOffer /> : <ChooseCustomer />
  return <OfferPage key={id} id={id} />
}
