import type { ComponentChildren } from 'preact'
import type { Asked } from '../asked.ts'
import { tellFailure } from '../tell-failure.ts'
import { TEXTS } from '../texts.ts'
import { Awaited } from '../waiting/awaited.tsx'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

/** To ask again would not help. */
const NO_RIGHT = 403

type AskedPartProps<Answer> = {
  readonly asked: Asked<Answer>
  readonly children: (answer: Answer) => ComponentChildren
}

/** What was asked for, or where it is, or why it is not there and what to do. */
export function AskedPart<Answer>({ asked, children }: AskedPartProps<Answer>) {
  const { answer, error, isBusy, again } = asked
  return (
    <>
      {error !== undefined && (
        <Banner
          kind="error"
          acts={error.status !== NO_RIGHT && <Button onClick={again}>{TEXTS.act.retry}</Button>}
        >
          {tellFailure(error)}
        </Banner>
      )}
      {answer === undefined ? isBusy && <Awaited /> : children(answer)}
    </>
  )
}
