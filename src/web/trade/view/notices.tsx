/** The newest notices, over the page: they move nothing, and go by themselves. The account's half has them all. */
import { TEXTS } from '../../texts/texts.ts'
import type { Desk } from '../state/desk.ts'
import { usePaced } from './paced.ts'

/** A notice of fills is another one with each fill. */
const DRAWN_EVERY_MS = 250

export function Notices({ desk }: { readonly desk: Desk }) {
  const { notices: words } = TEXTS
  const { notices } = desk
  const shown = usePaced(notices.shown, DRAWN_EVERY_MS)
  return (
    <div class="trade-notices" role="log" aria-label={words.title}>
      {shown.map(({ id, say, isProblem }) => (
        <p key={id} class={isProblem ? 'trade-problem' : undefined}>
          <span>{say()}</span>
          <button type="button" aria-label={words.dismiss(say())} onClick={() => notices.dismiss(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  )
}
