/** The newest notices, over the page: they move nothing, and go by themselves. The account's half has them all. */
import { TEXTS } from '../../texts/texts.ts'
import type { Desk } from '../state/desk.ts'

export function Notices({ desk }: { readonly desk: Desk }) {
  const { notices: words } = TEXTS
  const { notices } = desk
  return (
    <div class="trade-notices" role="log" aria-label={words.title}>
      {notices.shown.value.map(({ id, text, isProblem }) => (
        <p key={id} class={isProblem ? 'trade-problem' : undefined}>
          <span>{text}</span>
          <button type="button" aria-label={words.dismiss(text)} onClick={() => notices.dismiss(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  )
}
