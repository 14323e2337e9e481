/** The account's part of the menu: whose account it is, its key, and how the page trades with it. */
import { TEXTS } from '../../shared/texts/texts.ts'
import { keyName } from '../key/key-name.ts'
import type { KeptKey } from '../key/key-store.ts'
import type { Desk } from '../state/desk.ts'
import type { Ticket } from '../state/draft/ticket.ts'
import type { HotkeyRunner } from '../state/sending/hotkey-runner.ts'
import type { MenuQuestions } from '../state/sending/menu-questions.ts'
import { SendSettings } from './form/send-settings.tsx'

export type AccountMenuProps = {
  readonly desk: Desk
  readonly ticket: Ticket
  readonly runner: HotkeyRunner
  readonly questions: MenuQuestions
  /** Somebody wants to give the page a key. */
  readonly onAddKey: () => void
}

export function AccountMenu(props: AccountMenuProps) {
  const state = props.desk.holder.state.value
  if (state.kind === 'held') return <HeldAccount {...props} held={state.key} isKept={state.isKept} />
  if (state.kind !== 'none') return null
  return (
    <>
      <p>{TEXTS.key.none}</p>
      <button type="button" data-closes onClick={props.onAddKey}>
        {TEXTS.key.add}
      </button>
    </>
  )
}

type HeldProps = AccountMenuProps & { readonly held: KeptKey; readonly isKept: boolean }

function HeldAccount({ desk, ticket, runner, questions, held, isKept }: HeldProps) {
  const market = desk.market.value
  const { quick, key } = TEXTS
  const isOneClick = desk.consent.isOneClick.value
  return (
    <>
      <h2>{keyName(held)}</h2>
      <p class="menu-key">
        {key.name} <code>{held.apiKey}</code>
      </p>
      {!isKept && <p>{key.notKept}</p>}
      <button
        type="button"
        data-closes
        onClick={() => {
          questions.asksForget.value = true
        }}
      >
        {key.forget}
      </button>
      {market !== undefined && <SendSettings desk={desk} ticket={ticket} market={market} />}
      <p class="trade-row">
        <button
          type="button"
          data-closes
          onClick={() => {
            if (isOneClick) desk.consent.endOneClick()
            else questions.asksOneClick.value = true
          }}
        >
          {isOneClick ? quick.end : quick.title}
        </button>
        <button
          type="button"
          data-closes
          onClick={() => {
            runner.isShown.value = true
          }}
        >
          {quick.hotkeys.title}
        </button>
      </p>
    </>
  )
}
