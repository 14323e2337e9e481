/** The account's part of the menu: the account, its key, and the settings for trading. */
import { TEXTS } from '../../shared/texts/texts.ts'
import { CustomerEntry } from '../customer/lazy-account-dialog.tsx'
import { isOfSession, signOut } from '../customer/sign-out.ts'
import { keyName } from '../key/key-name.ts'
import type { KeptKey } from '../key/key-store.ts'
import type { Ticket } from '../state/draft/ticket.ts'
import type { HotkeyRunner } from '../state/sending/hotkey-runner.ts'
import type { MenuQuestions } from '../state/sending/menu-questions.ts'
import type { TradingState } from '../state/trading-state.ts'
import { SendSettings } from './form/send-settings.tsx'

export type AccountMenuProps = {
  readonly trading: TradingState
  readonly ticket: Ticket
  readonly runner: HotkeyRunner
  readonly questions: MenuQuestions
  /** Whether people sign up and sign in by themselves. */
  readonly hasCustomers: boolean
  /** Called when the user wants to enter a key. */
  readonly onAddKey: () => void
}

export function AccountMenu(props: AccountMenuProps) {
  const state = props.trading.holder.state.value
  if (state.kind === 'held') return <HeldAccount {...props} held={state.key} isKept={state.isKept} />
  if (state.kind !== 'none') return null
  return (
    <>
      <p>{props.hasCustomers ? TEXTS.customer.nobody : TEXTS.key.none}</p>
      {props.hasCustomers && <CustomerEntry opening={props.questions.account} />}
      <button type="button" data-closes onClick={props.onAddKey}>
        {TEXTS.key.add}
      </button>
    </>
  )
}

type HeldProps = AccountMenuProps & { readonly held: KeptKey; readonly isKept: boolean }

function HeldAccount({ trading, ticket, runner, questions, held, isKept }: HeldProps) {
  const market = trading.market.value
  const { quick, key } = TEXTS
  const isOneClick = trading.consent.isOneClick.value
  return (
    <>
      <h2>{keyName(held)}</h2>
      <p class="menu-key">
        {key.name} <code>{held.apiKey}</code>
      </p>
      {!isKept && <p>{key.notKept}</p>}
      {isOfSession(held) ? (
        <p class="trade-row">
          <button
            type="button"
            data-closes
            onClick={() => {
              questions.account.value = { link: undefined }
            }}
          >
            {TEXTS.customer.account}
          </button>
          <button
            type="button"
            data-closes
            onClick={() => {
              questions.account.value = { link: undefined, pane: 'keys' }
            }}
          >
            {TEXTS.customer.keys}
          </button>
          <button type="button" data-closes onClick={() => void signOut(trading.holder)}>
            {TEXTS.customer.signOut}
          </button>
        </p>
      ) : (
        <button
          type="button"
          data-closes
          onClick={() => {
            questions.asksForget.value = true
          }}
        >
          {key.forget}
        </button>
      )}
      {market !== undefined && <SendSettings trading={trading} ticket={ticket} market={market} />}
      <p class="trade-row">
        <button
          type="button"
          data-closes
          onClick={() => {
            if (isOneClick) trading.consent.endOneClick()
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
