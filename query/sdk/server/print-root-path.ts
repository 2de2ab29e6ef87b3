import { LEVEL_SEPARATOR, ROOT_NAME } from '../../../schemas/names/log-path.ts'

/** `ROOT->Web->Edge`. */
export function printRootPath(levels: readonly string[]): string {
  return [ROOT_NAME, ...levels].join(LEVEL_SEPARATOR)
}
