/** The dialog of a customer's account, loaded when it is opened. */
import { type Signal, useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { TEXTS } from '../../shared/texts/texts.ts'
import type { KeyHolder } from '../key/key-holder.ts'
import type { MailLink } from './mail-link.ts'
import type { AccountDialogProps } from './panes/account-dialog.tsx'

/** Opened by a link in an email, or by the person; undefined while the dialog is closed. */
export type AccountOpening = { readonly link: MailLink | undefined; readonly pane?: 'keys' }

export type AccountQuestion = Signal<AccountOpening | undefined>

/** The button for persons who are not signed in. */
export function CustomerEntry({ opening }: { readonly opening: AccountQuestion }) {
  return (
    <button
      type="button"
      class="trade-primary"
      data-closes
      onClick={() => {
        opening.value = { link: undefined }
      }}
    >
      {TEXTS.customer.open}
    </button>
  )
}

type LazyAccountDialogProps = { readonly holder: KeyHolder; readonly opening: AccountQuestion }

export function LazyAccountDialog({ holder, opening }: LazyAccountDialogProps) {
  if (opening.value === undefined) return null
  const close = () => {
    opening.value = undefined
  }
  const { link, pane } = opening.value
  return <Loaded holder={holder} link={link} pane={pane} onClose={close} />
}

function Loaded(props: AccountDialogProps) {
  const loaded = useSignal<{ readonly View: FunctionComponent<AccountDialogProps> } | undefined>(undefined)
  useEffect(() => {
    import('./panes/account-dialog.tsx').then(
      ({ AccountDialog }) => {
        loaded.value = { View: AccountDialog }
      },
      // The connection was lost: the next press tries again.
      () => props.onClose(),
    )
  }, [])
  return loaded.value === undefined ? null : <loaded.value.View {...props} />
}
