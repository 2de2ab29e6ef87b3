// What a form has of a monitor, as the command that tries one takes it. Pure.
import { MONITOR_ARGUMENTS } from '../../../../../schemas/sdk/monitors/monitor-arguments.ts'

const TRIED = ['owner', ...Object.keys(MONITOR_ARGUMENTS)]
/** Empty is a value of theirs; of others it is what nobody has said. */
const EMPTIED = ['sources', 'timeZone', 'businessHours', 'groupBy']

/** `name`: of the saved one; undefined: it is not made yet. */
export function givenDefinition(
  read: (argument: string) => string,
  name: string | undefined,
): Readonly<Record<string, string>> {
  const given = TRIED.map((argument) => [argument, read(argument)] as const).filter(
    ([argument, value]) => value !== '' || (name !== undefined && EMPTIED.includes(argument)),
  )
  return { ...Object.fromEntries(given), ...(name === undefined ? {} : { name }) }
}

/** The first argument in whose value is a fault. */
export function findTriedFault(
  faultOf: (argument: string) => string | undefined,
): string | undefined {
  return TRIED.find((argument) => faultOf(argument) !== undefined)
}
