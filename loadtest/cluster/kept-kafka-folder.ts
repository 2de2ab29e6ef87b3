// Where `npm run cluster` keeps Kafka's jars: a place that outlives a restart of the machine, which
// a temporary directory does not.
import { isAbsolute, join } from 'node:path'

/** As the XDG base directories have it: a relative XDG_CACHE_HOME does not count. */
export function keptKafkaFolder(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const { XDG_CACHE_HOME: given = '' } = environment
  return join(isAbsolute(given) ? given : join(home, '.cache'), 'logeye', 'kafka')
}
