// The templates that events meet, by number, in memory: a number never means anything else.
import type { Kysely } from 'kysely'
import { templatesInForce } from '../../../schemas/templates/own-template.ts'
import type { Template } from '../../../schemas/templates/template.ts'
import type { Tables } from '../../database/tables.ts'
import { readOwnTemplates } from './template-versions.ts'

/** The newest, and those of events that are still on their way. */
const MAX_REMEMBERED = 50

export class TemplateCatalogue {
  readonly #byNumber = new Map<number, readonly Template[]>()

  async at(db: Pick<Kysely<Tables>, 'selectFrom'>, number: number): Promise<readonly Template[]> {
    const known = this.#byNumber.get(number)
    if (known !== undefined) return known
    const templates = templatesInForce(await readOwnTemplates(db, number))
    for (const oldest of this.#byNumber.keys()) {
      if (this.#byNumber.size < MAX_REMEMBERED) break
      this.#byNumber.delete(oldest)
    }
    this.#byNumber.set(number, templates)
    return templates
  }
}
