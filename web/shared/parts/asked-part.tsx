import type { ComponentChildren } from 'preact'
import type { Asked } from '../asked.ts'
import { Awaited } from '../waiting/awaited.tsx'
import { FailureBanner } from './failure-banner.tsx'

type AskedPartProps<Answer> = {
  readonly asked: Asked<Answer>
  readonly children: (answer: Answer) => ComponentChildren
}

/** What was asked for, or where it is, or why it is not there and what to do. */
export function AskedPart<Answer>({ asked, children }: AskedPartProps<Answer>) {
  const { answer, error, isBusy, again } = asked
  return (
    <>
      {error !== undefined && <FailureBanner error={error} onAgain={again} />}
      {answer === undefined ? isBusy && <Awaited /> : children(answer)}
    </>
  )
}
