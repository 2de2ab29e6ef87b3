// Lists kept as JSON text in one column. A row that does not hold such a list is a damaged
// database.
import { z } from 'zod'
import { Failure } from '../../schemas/failures.ts'

const textList = z.array(z.string())
const idList = z.array(z.number().int())

export function readTextList(json: string): readonly string[] {
  return read(textList, json)
}

export function readIdList(json: string): readonly number[] {
  return read(idList, json)
}

function read<T>(schema: z.ZodType<T>, json: string): T {
  try {
    return schema.parse(JSON.parse(json))
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
