// Secrets that stand in a text where none belongs: somebody typed or pasted one into a path, a name
// or an address, and the text is kept.

/** Those of the portal and of users; longer than an id, so also what was cut. Before it anything
 *  may stand, as the end of %20. */
const OWN = /(tok|ses|dpl|key|opr|lic|lnk)(?:_|%5f)[0-9A-Za-z]{27,}/gi
/** A webhook's is base64, which may have slashes; in a path it may be escaped. */
const WEBHOOK = /(whsec)(?:_|%5f)[0-9A-Za-z+/=%]{27,}/gi
const URL_USER = /(:\/\/)[^/?#\s]*@/g
const URL_PARAMETERS = /^(\s*[a-z][a-z0-9+.-]*:\/\/[^?#]*[?#]).*$/is

/** Without secrets of ours; a reader still sees of which kind it was. */
export function hideSecrets(text: string): string {
  return text.replace(OWN, '$1_...').replace(WEBHOOK, '$1_...')
}

/** As hideSecrets, and without user, password, query and fragment of an address. */
export function hideAddressSecrets(text: string): string {
  return hideSecrets(text).replace(URL_USER, '$1***@').replace(URL_PARAMETERS, '$1***')
}
