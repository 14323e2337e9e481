/** Says that what is shown is of an earlier moment, of which, and why: the node does not answer, or another engine of its cluster leads. */
import { useComputed } from '@preact/signals'
import type { PageSession } from '../state/page-session.ts'
import { clockText, sentence } from '../state/words.ts'

export function ContactNotice({ session }: { readonly session: PageSession }) {
  const { contact, state } = session
  const text = useComputed(() => {
    const now = contact.value
    if (now.kind === 'ANSWERS') return undefined
    const why = now.kind === 'SILENT' ? 'The node does not answer.' : sentence(now.message)
    if (!state.value) return why
    // Its moment on the reader's own clock, which is the only one that goes on.
    const heardAt = Date.now() - (session.nowMs() - session.heardAtMs)
    return `${why} What you see is old: it is of ${clockText(heardAt)} UTC. The page asks again by itself.`
  })
  if (text.value === undefined) return null
  return (
    <p class="notice" role="alert">
      {text.value}
    </p>
  )
}
