/** One-click trading: agreed to here, and said as long as it is on. */
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Desk } from '../../state/desk.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import type { QuickOrders } from '../../state/sending/quick-orders.ts'
import { Confirm } from '../confirm.tsx'
import { NumberInput } from './number-input.tsx'

type QuickProps = { readonly desk: Desk; readonly quick: QuickOrders; readonly market: TradedMarket }

/** In the form, as long as one click places orders. */
export function QuickTrading({ desk, quick, market }: QuickProps) {
  const words = TEXTS.quick
  if (!desk.consent.isOneClick.value) return null
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
      <button type="button" onClick={() => desk.consent.endOneClick()}>
        {words.switchOff}
      </button>
    </div>
  )
}

/** Asks before one click places orders. */
export function OneClickQuestion({ desk, onDone }: { readonly desk: Desk; readonly onDone: () => void }) {
  const words = TEXTS.quick
  return (
    <Confirm
      title={words.consentTitle}
      yes={words.agree}
      no={words.leave}
      onYes={() => {
        onDone()
        desk.consent.agreeToOneClick()
      }}
      onNo={onDone}
    >
      {Object.values(words.consent).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Confirm>
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
