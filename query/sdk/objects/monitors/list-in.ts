import { listValue } from '../../../../schemas/sdk/values.ts'

/** The elements of an argument that the command's schema has accepted. */
export function listIn(text = ''): readonly string[] {
  return listValue.safeParse(text).data ?? []
}
