/** A customer's dialog: signing in or up, and then the panes of the account. */
import { useEffect, useState } from 'preact/hooks'
import { shownLanguage } from '../../../shared/texts/texts.ts'
import type { KeyHolder } from '../../key/key-holder.ts'
import { useElementId } from '../../view/element-id.ts'
import { useModal } from '../../view/modal.ts'
import { AccountApi } from '../account-api.ts'
import type { MailLink } from '../mail-link.ts'
import { AccountPanes, type PaneId } from './account-panes.tsx'
import { Entry } from './entry.tsx'
import { EntryFlow, type EntryStep } from './entry-flow.ts'
import { paneTexts } from './pane-texts.ts'
import style from './panes.css' with { type: 'text' }
import { PanesState } from './panes-state.ts'

export type AccountDialogProps = {
  readonly holder: KeyHolder
  /** Undefined if the person has opened the dialog. */
  readonly link: MailLink | undefined
  /** The pane that the person has chosen; undefined for the first one. */
  readonly pane?: PaneId | undefined
  readonly onClose: () => void
}

/** Steps before signing in; they do not apply to an account that is signed in. */
const COMING_IN: readonly EntryStep[] = [
  ...(['BEGIN', 'PASSWORD', 'SENT', 'CONFIRM', 'PASSKEY', 'NEW_PASSWORD', 'APP', 'WAITING'] as const),
]

/** Steps that set the keyboard focus themselves. */
const OWN_FOCUS: readonly EntryStep[] = ['PASSWORD', 'NEW_PASSWORD', 'APP', 'CODES']

let isStyled = false

export function AccountDialog({ holder, link, pane, onClose }: AccountDialogProps) {
  const dialog = useModal()
  const titleId = useElementId()
  const [{ flow, panes }] = useState(() => {
    addStyle()
    const api = new AccountApi(shownLanguage)
    const entry = new EntryFlow({ api, holder, link, onDone: onClose })
    return {
      flow: entry,
      panes: new PanesState({
        ...{ api, holder, onOver: (ending) => void entry.over(ending) },
        isSandbox: () => entry.config.peek()?.isSandbox ?? false,
      }),
    }
  })
  useEffect(() => void flow.start(), [])
  const { title, titleNobody, close } = paneTexts()
  const step = flow.step.value
  const isSignedIn = step === 'SIGNED_IN'
  // The element that had the focus was removed with the previous step.
  useEffect(() => {
    if (step === 'START' || OWN_FOCUS.includes(step)) return
    const first = dialog.current?.querySelector<HTMLElement>('[role="tab"][tabindex="0"], .trade-primary')
    first?.focus()
  }, [step])
  return (
    <dialog
      class={isSignedIn ? 'trade-dialog account-dialog' : 'trade-dialog'}
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <h2 id={titleId}>{COMING_IN.includes(step) ? titleNobody : title}</h2>
      {isSignedIn ? <AccountPanes panes={panes} first={pane ?? 'security'} /> : <Entry flow={flow} />}
      <p class="trade-row">
        <button type="button" onClick={onClose}>
          {close}
        </button>
      </p>
    </dialog>
  )
}

/** The market page has no style rules for these panes: they are loaded with them. */
function addStyle(): void {
  if (isStyled) return
  isStyled = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets.push(sheet)
}
