import type { ComponentChildren } from 'preact'
import type { Asked } from '../../../shared/asked.ts'
import { Banner } from '../../../shared/parts/banner.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { T } from '../texts.ts'

type AskingProps<Answer> = {
  readonly asked: Asked<Answer>
  readonly children: (answer: Answer) => ComponentChildren
}

/** What was asked for, or where it is, or why it is not there and what to do. */
export function Asking<Answer>({ asked, children }: AskingProps<Answer>) {
  const { answer, error, isBusy, again } = asked
  return (
    <>
      {error !== undefined && (
        <Banner kind="error" acts={<Button onClick={again}>{TEXTS.act.retry}</Button>}>
          {error.status === 0 ? TEXTS.failure.unreachable : `${T.failed} ${error.message}`}
        </Banner>
      )}
      {answer === undefined
        ? isBusy && (
            <p class="boards-wait" role="status">
              {T.loading}
            </p>
          )
        : children(answer)}
    </>
  )
}
