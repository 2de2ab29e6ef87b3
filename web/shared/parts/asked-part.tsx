import type { ComponentChildren } from 'preact'
import type { Asked } from '../asked.ts'
import { tellFailure } from '../tell-failure.ts'
import { TEXTS } from '../texts.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

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
        <Banner kind="error" acts={<Button onClick={again}>{TEXTS.act.retry}</Button>}>
          {tellFailure(error)}
        </Banner>
      )}
      {answer === undefined
        ? isBusy && (
            <p class="asked-wait" role="status">
              {TEXTS.act.loading}
            </p>
          )
        : children(answer)}
    </>
  )
}
