/** The parts of the page that need a key. */

import type { ReadonlySignal } from '@preact/signals'
import { TEXTS } from '../../shared/texts/texts.ts'
import { LazyAccountDialog } from '../customer/lazy-account-dialog.tsx'
import { keyName } from '../key/key-name.ts'
import type { ListTicket } from '../state/draft/list-ticket.ts'
import type { Ticket } from '../state/draft/ticket.ts'
import type { Dispatch } from '../state/sending/dispatch.ts'
import type { HotkeyRunner } from '../state/sending/hotkey-runner.ts'
import type { MenuQuestions } from '../state/sending/menu-questions.ts'
import type { QuickOrders } from '../state/sending/quick-orders.ts'
import type { Trader } from '../state/trader.ts'
import type { TradingState } from '../state/trading-state.ts'
import { Confirm } from './confirm.tsx'
import { OrderForm } from './form/order-form.tsx'
import { channelRefusalText, loginRefusalText } from './form/order-texts.ts'
import { OneClickQuestion, QuickTrading } from './form/quick-trading.tsx'
import { SendQuestion } from './form/send-question.tsx'
import { ForgetQuestion, KeyForm } from './key-form.tsx'
import { LazyAccount } from './lazy-account.tsx'
import { LazyHotkeys } from './lazy-hotkeys.tsx'
import { Notices } from './notices.tsx'

export type TradePanelProps = {
  readonly trading: TradingState
  readonly dispatch: Dispatch
  readonly ticket: Ticket
  readonly listTicket: ListTicket
  readonly quick: QuickOrders
  readonly runner: HotkeyRunner
  readonly questions: MenuQuestions
  readonly isSandbox: boolean
  readonly hasCustomers: boolean
  readonly isTapeShown: ReadonlySignal<boolean>
}

type QuestionsProps = Pick<TradePanelProps, 'trading' | 'dispatch' | 'runner' | 'questions'> & {
  readonly trader: Trader
}

export function TradePanel({ isSandbox, hasCustomers, isTapeShown, ...parts }: TradePanelProps) {
  const { trading, dispatch, ticket, listTicket, quick, runner, questions } = parts
  const state = trading.holder.state.value
  const trader = trading.trader.value
  const market = trading.market.value
  return (
    <>
      <div class="panel trade-entry">
        <div class="trade-head">
          <h2>{TEXTS.title}</h2>
          {state.kind === 'held' && (
            <span class="trade-held" title={state.key.apiKey}>
              {keyName(state.key)}
            </span>
          )}
        </div>
        <div class="trade-body">
          {state.kind === 'reading' && <p>{TEXTS.key.reading}</p>}
          {state.kind === 'insecure' && <p>{TEXTS.key.insecure}</p>}
          {state.kind === 'none' && state.isLeft && (
            <p class="trade-problem" role="alert">
              {TEXTS.key.notErased}
            </p>
          )}
          {state.kind === 'none' && (
            <KeyForm
              holder={trading.holder}
              isSandbox={isSandbox}
              hasCustomers={hasCustomers}
              opening={questions.account}
            />
          )}
          {trader !== undefined && market !== undefined && (
            <div class="trade-desk" data-live={trading.isLive.value}>
              <Condition trading={trading} trader={trader} />
              <OrderForm
                trading={trading}
                dispatch={dispatch}
                ticket={ticket}
                listTicket={listTicket}
                market={market}
              />
              <QuickTrading trading={trading} quick={quick} market={market} />
            </div>
          )}
        </div>
      </div>
      {trader !== undefined && market !== undefined && (
        <div class="panel trade-lists" data-live={trading.isLive.value}>
          <h2 class="unseen">{TEXTS.account.title}</h2>
          <LazyAccount
            // A new key creates the form again: its open parts belong to the previous account.
            key={state.kind === 'held' ? state.key.apiKey : ''}
            trading={trading}
            dispatch={dispatch}
            ticket={ticket}
            trader={trader}
            market={market}
          />
        </div>
      )}
      {trader !== undefined && (
        <Questions
          trading={trading}
          dispatch={dispatch}
          runner={runner}
          questions={questions}
          trader={trader}
        />
      )}
      <LazyAccountDialog holder={trading.holder} opening={questions.account} />
      <Notices trading={trading} isTapeShown={isTapeShown} />
    </>
  )
}

/**
 * Dialogs from every panel. A phone shows only one panel: a dialog in a hidden panel would be invisible, and
 * the page behind it would be blocked.
 */
function Questions({ trading, dispatch, runner, questions, trader: { account } }: QuestionsProps) {
  const { asksForget, asksOneClick } = questions
  const { open } = TEXTS.account
  return (
    <>
      <SendQuestion dispatch={dispatch} />
      {asksForget.value && (
        <ForgetQuestion
          holder={trading.holder}
          onDone={() => {
            asksForget.value = false
          }}
        />
      )}
      {asksOneClick.value && (
        <OneClickQuestion
          trading={trading}
          onDone={() => {
            asksOneClick.value = false
          }}
        />
      )}
      {runner.asksCancelAll.value && (
        <Confirm
          title={
            account.isLive.value ? open.cancelAllTitle(account.orders.value.length) : open.cancelAllUncounted
          }
          yes={TEXTS.orders.cancelAll}
          no={TEXTS.orders.keep}
          onYes={() => runner.cancelAll()}
          onNo={() => {
            runner.asksCancelAll.value = false
          }}
        />
      )}
      {runner.isShown.value && (
        <LazyHotkeys
          hotkeys={runner.hotkeys}
          onClose={() => {
            runner.isShown.value = false
          }}
        />
      )}
    </>
  )
}

/** The conditions that block sending, and the outcomes that are still being checked. */
function Condition({ trading, trader }: { readonly trading: TradingState; readonly trader: Trader }) {
  const login = trader.login.value
  const unknown = trader.unknown.value
  const refusals = trader.account.refusals.value
  const isRefused = login?.kind === 'refused'
  return (
    <div role="status">
      {isRefused && <p class="trade-problem">{loginRefusalText(login.error)}</p>}
      {!isRefused && refusals.length > 0 && <p class="trade-problem">{channelRefusalText(refusals)}</p>}
      {!isRefused && refusals.length === 0 && !trading.isLive.value && (
        <p class="trade-stale">{TEXTS.state.stale}</p>
      )}
      {unknown !== undefined && <p class="trade-stale">{TEXTS.unknown(unknown)}</p>}
      {unknown !== undefined && trader.isNotKept.value && <p class="trade-problem">{TEXTS.notKept}</p>}
    </div>
  )
}
