/** One-click trading and hotkeys: switched on here, and nowhere without a word of what they do. */
import { useSignal } from '@preact/signals'
import { TEXTS } from '../../texts/texts.ts'
import type { Desk } from '../state/desk.ts'
import type { TradedMarket } from '../state/draft.ts'
import type { HotkeyRunner } from '../state/hotkey-runner.ts'
import type { QuickOrders } from '../state/quick-orders.ts'
import { Confirm } from './confirm.tsx'
import { NumberInput } from './number-input.tsx'

type QuickProps = {
  readonly desk: Desk
  readonly quick: QuickOrders
  readonly runner: HotkeyRunner
  readonly market: TradedMarket
}

export function QuickTrading({ desk, quick, runner, market }: QuickProps) {
  const isAsking = useSignal(false)
  const words = TEXTS.quick
  return (
    <div class="trade-quick">
      {desk.consent.isOneClick.value && (
        <div class="trade-one-click">
          <p>{words.isOn}</p>
          <NumberInput
            label={words.quantity}
            unit={market.baseCode}
            value={quick.quantity.value}
            problem={quick.quantityProblem}
            onValue={(text) => {
              quick.quantity.value = text
            }}
          />
        </div>
      )}
      <p class="trade-row">
        {desk.consent.isOneClick.value ? (
          <button type="button" onClick={() => desk.consent.endOneClick()}>
            {words.switchOff}
          </button>
        ) : (
          <button
            type="button"
            onClick={() => {
              isAsking.value = true
            }}
          >
            {words.title}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            runner.isShown.value = true
          }}
        >
          {words.hotkeys.title}
        </button>
      </p>
      {isAsking.value && (
        <Confirm
          title={words.consentTitle}
          yes={words.agree}
          no={words.leave}
          onYes={() => {
            isAsking.value = false
            desk.consent.agreeToOneClick()
          }}
          onNo={() => {
            isAsking.value = false
          }}
        >
          {Object.values(words.consent).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Confirm>
      )}
    </div>
  )
}

/** Beside the book, as long as a click in it places orders. */
export function OneClickMark({ desk, quick }: { readonly desk: Desk; readonly quick: QuickOrders }) {
  const market = desk.market.value
  const isOn = desk.consent.isOneClick.value && market !== undefined
  const words = TEXTS.quick
  return (
    <div role="status">
      {isOn && (
        <p class="one-click-mark">
          <span>
            {quick.quantity.value === ''
              ? words.markEmpty
              : words.mark(`${quick.quantity.value} ${market.baseCode}`)}
          </span>
          <button type="button" onClick={() => desk.consent.endOneClick()}>
            {words.switchOff}
          </button>
        </p>
      )}
    </div>
  )
}
