// The address of an engine, in which a password may stand. Printing it in any way shows *** in
// place of secrets.
import { inspect } from 'node:util'

/** Without another @ behind it: that one might be the end of the password. */
const PASSWORD = /(:\/\/[^/?#:]*:)[^/?#]*@(?!.*@)/
/** An address that cannot be used, since a / or a ? of its password is not written %2F or %3F,
 *  or a / before it is missing. */
const BROKEN_PASSWORD = /^([a-z0-9+.-]*:\/{0,2}[^:@]*:).*@/i
const SECRET_PARAMETER = /([?&][^=&#]*(?:password|secret|token|key)[^=&#]*=)[^&#]*/gi

export class SecretUrl {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** The address as it was given. For the engine's client only. */
  reveal(): string {
    return this.#url
  }

  toString(): string {
    const pattern = PASSWORD.test(this.#url) ? PASSWORD : BROKEN_PASSWORD
    return this.#url.replace(pattern, '$1***@').replace(SECRET_PARAMETER, '$1***')
  }

  toJSON(): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}
