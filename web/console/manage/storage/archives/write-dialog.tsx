import { useState } from 'preact/hooks'
import { runCommand } from '../../../../shared/api/sdk.ts'
import { useAsked } from '../../../../shared/asked.ts'
import { nowMs } from '../../../../shared/clock.ts'
import { printCount } from '../../../../shared/format.ts'
import { AskedPart } from '../../../../shared/parts/asked-part.tsx'
import { Select } from '../../../../shared/parts/select.tsx'
import { toast } from '../../../../shared/parts/toast.tsx'
import { printBytes } from '../../parts/print.ts'
import { SectionLink } from '../../parts/section-link.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { ARCHIVE_TEXTS } from './texts.ts'

const T = ARCHIVE_TEXTS.write
const MOST_DAYS = '1000'

type WriteDialogProps = { readonly onDone: () => void; readonly onClose: () => void }

/** Offers what can be written away: policies with an archive, and their finished days. */
export function WriteDialog({ onDone, onClose }: WriteDialogProps) {
  const asked = useAsked('what can be archived', readDays)
  const [chosenPolicy, setPolicy] = useState<string>()
  const [chosenDay, setDay] = useState<string>()
  const policies = asked.answer ?? []
  const policy = policies.find(({ name }) => name === chosenPolicy) ?? policies[0]
  const day = policy?.days.find((one) => one.day === chosenDay) ?? policy?.days[0]
  return (
    <AskDialog
      title={T.title}
      submit={T.submit}
      isReady={day !== undefined}
      {...{ onDone, onClose }}
      onSubmit={async () => {
        if (policy === undefined || day === undefined) return
        await runCommand('archive', { policy: policy.name, day: day.day })
        toast(T.asked(day.day))
      }}
    >
      <p>{T.intro}</p>
      <AskedPart asked={asked}>
        {() =>
          policy === undefined ? (
            <p>
              {T.noPlace} <SectionLink id="collection">{ARCHIVE_TEXTS.policies}</SectionLink>
            </p>
          ) : (
            <>
              <Select
                {...{ label: T.policy, name: 'policy', value: policy.name }}
                options={policies.map(({ name }) => [name, name])}
                onChoose={setPolicy}
              />
              {day === undefined ? (
                <p>{T.noDay}</p>
              ) : (
                <Select
                  {...{ label: T.day, name: 'day', value: day.day }}
                  options={policy.days.map((one) => [
                    one.day,
                    T.option(one.day, printCount(one.events), printBytes(one.bytes)),
                  ])}
                  onChoose={setDay}
                />
              )}
            </>
          )
        }
      </AskedPart>
    </AskDialog>
  )
}

async function readDays(signal: AbortSignal) {
  const [{ objects }, { days }] = await Promise.all([
    runCommand('list', { type: 'collectionPolicy', details: 'true' }, signal),
    runCommand('diskUsage', { top: MOST_DAYS }, signal),
  ])
  const today = new Date(nowMs()).toISOString().slice(0, 10)
  return objects
    .filter(
      ({ arguments: given = {} }) =>
        (given.archiveDirectory ?? '') !== '' || (given.archiveAccount ?? '') !== '',
    )
    .map(({ name }) => ({
      name,
      days: days.filter((one) => one.policy === name && one.day < today),
    }))
}
