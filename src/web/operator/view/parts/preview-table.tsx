/** The effect of a dialog's command: the present state, and the state after it. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PageSession } from '../../state/page-session.ts'
import { type Ask, type Change, type Planned, type Preview, previewOf } from '../../state/preview.ts'
import { labelOf } from '../../texts/command-texts.ts'
import { type Said, say } from '../../texts/texts.ts'
import { State, Table } from './parts.tsx'
import { valueText } from './value.tsx'

/** Pause after the last key, since each update sends requests to the node. */
const CHECK_AFTER_MS = 250

type Parts = Omit<Planned, 'who'> & { readonly session: PageSession }

export function PreviewTable({ session, command, record, values, cleared }: Parts) {
  const found = useSignal<Preview | undefined>(undefined)
  const key = JSON.stringify([values, [...cleared]])
  useEffect(() => {
    if (command.isReading) return
    let isGone = false
    const timer = setTimeout(async () => {
      const who = session.state.value?.name ?? ''
      const preview = await previewOf({ command, values, cleared, record, who }, askOf(session)).catch(
        () => undefined,
      )
      if (!isGone) found.value = preview
    }, CHECK_AFTER_MS)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [session, command, record, key])
  const preview = found.value
  if (preview === undefined) return null
  return (
    <div class="preview" aria-live="polite">
      <Table
        label={say('What changes: {of}', { of: preview.of })}
        rows={preview.changes}
        keyOf={({ field }) => field}
        none="Nothing changes."
        columns={[
          {
            title: preview.of === '' ? say('What changes') : (preview.of as Said),
            cell: ({ field }) => labelOf(field),
          },
          { title: 'Now', isFigure: true, cell: ({ now }) => valueText(now) },
          { title: 'After', isFigure: true, cell: (change) => <After change={change} /> },
        ]}
      />
      {preview.approvalAbove !== undefined && (
        <p class="question">
          {say('Above {limit}, another person must approve it first: until then nothing changes.', {
            limit: preview.approvalAbove,
          })}
        </p>
      )}
    </div>
  )
}

function After({ change: { after, isShort } }: { readonly change: Change }) {
  if (!isShort) return <strong>{valueText(after)}</strong>
  return (
    <State word={say('{after}: not enough, it will be refused', { after: valueText(after) })} kind="bad" />
  )
}

function askOf(session: PageSession): Ask {
  return async (operation, request) => {
    if (session.state.value?.lacking[operation] !== undefined) return undefined
    const answer = await session.ask(operation, request, { isBackground: true })
    return answer.ok ? answer.result : undefined
  }
}
