/**
 * A notice that the displayed data is outdated, with its time and the reason: the node does not answer, or
 * another engine of its cluster leads.
 */
import { useComputed } from '@preact/signals'
import { clockText, sentence } from '../state/notation.ts'
import type { PageSession } from '../state/page-session.ts'
import { say, shown } from '../texts/texts.ts'

export function ContactNotice({ session }: { readonly session: PageSession }) {
  const { contact, state } = session
  const text = useComputed(() => {
    const now = contact.value
    if (now.kind === 'ANSWERS') return undefined
    const why = now.kind === 'SILENT' ? say('The node does not answer.') : sentence(shown(now.message))
    if (!state.value) return why
    // By the clock of the operator's machine, the only one that is still running.
    const heardAt = Date.now() - (session.nowMs() - session.heardAtMs)
    return `${why} ${say('The page shows the state at {time} UTC and keeps trying to reconnect.', { time: clockText(heardAt) })}`
  })
  if (text.value === undefined) return null
  return (
    <p class="notice" role="alert">
      {text.value}
    </p>
  )
}
