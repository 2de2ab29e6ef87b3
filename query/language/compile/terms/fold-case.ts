// Which characters are equal when letter case is ignored: those with the same simple lower-case
// form (search-language#words).
import { foldCase } from '../../../../schemas/store/text-index.ts'

/** Letters with case lie below this. */
const LAST_CASED = 0x1e944

let sameFold: Map<string, string> | undefined

/** All characters that fold as this folded one, itself first: `k` gives `kK` and the Kelvin
 *  sign. */
export function charactersFoldingTo(folded: string): string {
  sameFold ??= readFolds()
  return folded + (sameFold.get(folded) ?? '')
}

function readFolds(): Map<string, string> {
  const folds = new Map<string, string>()
  for (let code = 0; code < LAST_CASED; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const folded = foldCase(character)
    if (folded !== character) folds.set(folded, (folds.get(folded) ?? '') + character)
  }
  return folds
}
