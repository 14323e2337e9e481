/** One-click trading: the consent to it, and the notice while it is on. */
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import type { QuickOrders } from '../../state/sending/quick-orders.ts'
import type { TradingState } from '../../state/trading-state.ts'
import { Confirm } from '../confirm.tsx'
import { NumberInput } from './number-input.tsx'

type QuickProps = {
  readonly trading: TradingState
  readonly quick: QuickOrders
  readonly market: TradedMarket
}

/** The notice in the form while one click places orders. */
export function QuickTrading({ trading, quick, market }: QuickProps) {
  const words = TEXTS.quick
  if (!trading.consent.isOneClick.value) return null
  return (
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
      <button type="button" onClick={() => trading.consent.endOneClick()}>
        {words.switchOff}
      </button>
    </div>
  )
}

/** Asks before one click places orders. */
export function OneClickQuestion({
  trading,
  onDone,
}: {
  readonly trading: TradingState
  readonly onDone: () => void
}) {
  const words = TEXTS.quick
  return (
    <Confirm
      title={words.consentTitle}
      yes={words.agree}
      no={words.leave}
      onYes={() => {
        onDone()
        trading.consent.agreeToOneClick()
      }}
      onNo={onDone}
    >
      {Object.values(words.consent).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Confirm>
  )
}

/** Beside the book, while a click in it places orders. */
export function OneClickMark({
  trading,
  quick,
}: {
  readonly trading: TradingState
  readonly quick: QuickOrders
}) {
  const market = trading.market.value
  const isOn = trading.consent.isOneClick.value && market !== undefined
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
          <button type="button" onClick={() => trading.consent.endOneClick()}>
            {words.switchOff}
          </button>
        </p>
      )}
    </div>
  )
}
