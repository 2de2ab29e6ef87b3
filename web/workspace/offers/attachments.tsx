import { useRef, useState } from 'preact/hooks'
import type { AttachmentTold } from '../../../schemas/portal/attachments.ts'
import { Button } from '../../shared/parts/button.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { downloadFile } from '../api/download-file.ts'
import { isSeller } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { SureDialog } from '../parts/dialogs.tsx'
import { FormError } from '../parts/form-error.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { printBytes, printTime } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.attachments
/** As the API takes them; it looks at what they hold. */
const KINDS = '.pdf,.png,.jpg,.jpeg,.docx,.xlsx,.pptx,.txt,.csv,.md'

export function Attachments({
  offerId,
  canChange,
}: {
  readonly offerId: string
  readonly canChange: boolean
}) {
  const path = `/offers/${offerId}/attachments`
  const list = useList<AttachmentTold>(path)
  const [removed, setRemoved] = useState<AttachmentTold>()
  const act = useAct(list.again)
  const input = useRef<HTMLInputElement>(null)
  const upload = (files: readonly File[]) =>
    act.run(async () => {
      for (const file of files) {
        const body = new FormData()
        body.append('file', file)
        await ask(path, { body })
      }
      toast(T.uploaded(files.length))
    })
  const own = isSeller() ? 'seller' : 'customer'
  return (
    <section
      class="part"
      aria-label={T.title}
      onDragOver={(event) => {
        if (canChange) event.preventDefault()
      }}
      onDrop={(event) => {
        if (!canChange) return
        event.preventDefault()
        upload([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <div class="card-head">
        <h2>{T.title}</h2>
        {canChange && (
          <>
            <input
              ref={input}
              class="aside"
              type="file"
              multiple
              accept={KINDS}
              tabIndex={-1}
              aria-label={T.upload}
              onChange={({ currentTarget }) => {
                upload([...(currentTarget.files ?? [])])
                currentTarget.value = ''
              }}
            />
            <Button disabled={act.isBusy} onClick={() => input.current?.click()}>
              {act.isBusy ? T.busy : T.upload}
            </Button>
          </>
        )}
      </div>
      <FormError error={act.error} />
      <ListPart list={list} empty={<p class="soft">{canChange ? T.none : T.noneText}</p>}>
        {(rows, order) => (
          <Table
            label={T.title}
            columns={[
              { name: T.name, by: ['name', ({ name }) => name] },
              { name: T.size, isNumber: true, by: ['size', ({ bytes }) => bytes] },
              { name: T.by, by: ['by', ({ by }) => T.whose[by]] },
              { name: T.at, by: ['at', ({ createdAt }) => rankOfTime(createdAt)] },
              { name: '' },
            ]}
            rows={rows}
            order={order}
          >
            {(file) => (
              <tr key={file.id}>
                <td class="name">
                  {file.name}
                  <span class="sub">{file.mediaType}</span>
                </td>
                <td class="number">{printBytes(file.bytes)}</td>
                <td>{T.whose[file.by]}</td>
                <td class="time">{printTime(file.createdAt)}</td>
                <td class="acts">
                  <Button
                    disabled={act.isBusy}
                    onClick={() => act.run(() => downloadFile(`${path}/${file.id}`, file.name))}
                  >
                    {T.download}
                  </Button>
                  {canChange && file.by === own && (
                    <Button onClick={() => setRemoved(file)}>{T.remove}</Button>
                  )}
                </td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
      {removed !== undefined && (
        <SureDialog
          title={T.removeTitle(removed.name)}
          act={T.remove}
          onClose={() => setRemoved(undefined)}
          work={async () => {
            await ask(`${path}/${removed.id}`, { method: 'DELETE' })
            list.again()
          }}
        >
          <p>{T.removeText}</p>
        </SureDialog>
      )}
    </section>
  )
}
