import { describe, expect, it } from 'vitest'
import { hideAddressSecrets, hideSecrets } from '../../../../infra/secrets/hide-secrets.ts'

const BODY = '7Kd0'.repeat(12)
const ID = '01HZX3J8Q4W5E6R7T8Y9VABCDE'

describe('a text that is kept', () => {
  it.each([
    [`/operator-tokens/opr_${BODY}`, '/operator-tokens/opr_...'],
    [`/operator-tokens/%20opr_${BODY}`, '/operator-tokens/%20opr_...'],
    [`/operator-tokens/%22OPR%5F${BODY}%22`, '/operator-tokens/%22OPR_...%22'],
    [`lic_${BODY.slice(0, 27)}`, 'lic_...'],
    [`tok_${BODY} and ses_${BODY}`, 'tok_... and ses_...'],
    ['/x/whsec_p1nbxqzh/8I2u37WJRXYqmwo5dwbON+OQ9OHuq0aOsg=', '/x/whsec_...'],
    ['/x/whsec%5fp1nbxqzh%2F8I2u37WJRXYqmwo5dwbON%2BOQ9OHuq0aOsg%3D', '/x/whsec_...'],
  ])('has no secret of ours: %s', (text, shown) => {
    expect(hideSecrets(text)).toBe(shown)
  })

  it.each([`/licenses/lic_${ID}/renew`, `/api-keys/key_${ID}%2Fx`, 'monkey_business', 'whsec_'])(
    'keeps what is none: %s',
    (text) => {
      expect(hideSecrets(text)).toBe(text)
      expect(hideAddressSecrets(text)).toBe(text)
    },
  )
})

describe('an address in a text that is kept', () => {
  it.each([
    ['https://u:p@w@h/in?token=x#y', 'https://***@h/in?***'],
    [' tcp://secret@h:1', ' tcp://***@h:1'],
    ['https://h/in#secret', 'https://h/in#***'],
    ['a = https://u:pw@h/in, https://x:y@z', 'a = https://***@h/in, https://***@z'],
    ['9x://u:pw@h, ://u:pw@h', '9x://***@h, ://***@h'],
    ['https://h/in', 'https://h/in'],
    ['user@example.org failed? yes', 'user@example.org failed? yes'],
    ['account:remote', 'account:remote'],
  ])('has no user, password, query and fragment: %s', (text, shown) => {
    expect(hideAddressSecrets(text)).toBe(shown)
  })
})
