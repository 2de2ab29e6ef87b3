// The address of an engine, in which a password may stand. Printing it in any way shows *** in place of secrets.
import { inspect } from 'node:util'

const PASSWORD = /(:\/\/[^/?#]*?:)[^/?#]*@/
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
    return this.#url.replace(PASSWORD, '$1***@').replace(SECRET_PARAMETER, '$1***')
  }

  toJSON(): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}
