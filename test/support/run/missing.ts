// What a suite needs and a machine may not have: the reason why it is skipped there, which
// closing-line.ts counts.

/** Why it is skipped; nothing when all is there. */
export type Missing = string | undefined

/** `reason` unless it is here. The gate installs what suites need: there it must be here. */
export function missing(isHere: boolean, reason: string): Missing {
  const { CI: ci = '' } = process.env
  if (!isHere && ci !== '' && ci !== 'false') throw new Error(`CI runs these tests: ${reason}`)
  return missingEvenInCi(isHere, reason)
}

/** For what also the gate cannot have everywhere: the right to mount, a ClickHouse server. */
export function missingEvenInCi(isHere: boolean, reason: string): Missing {
  return isHere ? undefined : reason
}
