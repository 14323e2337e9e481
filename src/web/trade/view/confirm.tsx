/** A confirmation before something is sent. The focus is on the button that sends nothing. */
import type { ComponentChildren } from 'preact'
import { TEXTS } from '../../shared/texts/texts.ts'
import { useElementId } from './element-id.ts'
import { useModal } from './modal.ts'

export type ConfirmProps = {
  readonly title: string
  readonly yes: string
  readonly no?: string
  readonly onYes: () => void
  readonly onNo: () => void
  readonly children?: ComponentChildren
}

export function Confirm({ title, yes, no = TEXTS.no, onYes, onNo, children }: ConfirmProps) {
  const dialog = useModal()
  const id = useElementId()
  return (
    <dialog
      class="trade-dialog"
      ref={dialog}
      aria-labelledby={id}
      onClose={onNo}
      onKeyDown={(event) => {
        // A key that was pressed before the question appeared, and is still held down, is no answer.
        if (event.repeat && event.key === 'Enter') event.preventDefault()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <p class="trade-row">
        <button type="button" onClick={onNo}>
          {no}
        </button>
        <button
          type="button"
          class="trade-primary"
          onClick={(event) => {
            // The second click of a double click is no answer to a dialog that appeared with the first.
            if (event.detail <= 1) onYes()
          }}
        >
          {yes}
        </button>
      </p>
    </dialog>
  )
}
