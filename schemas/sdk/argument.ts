// What a command and its arguments say of themselves (schemas/sdk/commands.ts).
import type { z } from 'zod'
import type { Sees } from '../rights/sees.ts'
import type { Operation } from '../users.ts'

export type ArgumentMeta = {
  readonly description: string
  /** How the value is written. */
  readonly hint: string
  /** May stand alone: `-list` is `-list true`. */
  readonly isFlag?: boolean
  /** Names a file, whose text the client sends; it is not audited. */
  readonly isFile?: boolean
  /** A longer file is refused; default: the client sends its first part. */
  readonly maxFileBytes?: number
  /** Never audited, never shown. */
  readonly isSecret?: boolean
}

export function argument<T extends z.ZodType>(schema: T, meta: ArgumentMeta): T {
  return schema.meta(meta)
}

/** Done by the client itself; the product has no command of this name. */
export type ClientCommandEntry = Pick<CommandEntry, 'name' | 'help' | 'input' | 'answer'>

export type CommandEntry = {
  /** As the caller writes it; the file is named like it. */
  readonly name: string
  readonly help: string
  /** What the caller's policy must allow; `objects`: as the command of each object's type;
   *  `signed-in`: nothing, it is about the caller. */
  readonly operation: Operation | 'objects' | 'signed-in'
  /** Not by an API token: at all, or with one of these arguments. */
  readonly refusesTokens?: true | readonly string[]
  /** Also open without the operation, within limits that the command itself sets. */
  readonly isDelegated?: true
  /** Enough instead of it: the command does only what each allows. */
  readonly otherOperation?: Operation
  readonly sees: Sees
  readonly input: z.ZodObject
  /** The argument that names what is acted on, for the audit log. */
  readonly target: string
  /** What the caller reads in the envelope's `response`. */
  readonly answer: z.ZodType
}
