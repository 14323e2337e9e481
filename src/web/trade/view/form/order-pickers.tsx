/** The choice of side, of type or list, and of time in force. */
import type { Side, TimeInForce } from '../../../../client/interface/words.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { hasTimeInForce } from '../../state/draft/draft.ts'
import { isListKind } from '../../state/draft/list-draft.ts'
import { KIND_TABS, kindsOf, type OrderKind, TABS, tabOf } from '../../state/draft/order-kinds.ts'
import type { TradingState } from '../../state/trading-state.ts'
import { useElementId } from '../element-id.ts'
import { TimePicker } from './time-picker.tsx'

const SIDES: readonly Side[] = ['BUY', 'SELL']
const TIMES: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'GTD']

export function SidePicker({ trading }: { readonly trading: TradingState }) {
  const draft = trading.draft.value
  return (
    <div class="trade-row trade-sides">
      {SIDES.map((side) => (
        <button
          type="button"
          key={side}
          data-side={side}
          aria-pressed={draft.side === side}
          onClick={() => trading.setSide(side)}
        >
          {TEXTS.side[side]}
        </button>
      ))}
    </div>
  )
}

export function TypePicker({ trading }: { readonly trading: TradingState }) {
  const [draft, list] = [trading.draft.value, trading.list.value]
  const kind = list?.kind ?? draft.type
  const tab = tabOf(kind)
  const hasTime = list === undefined && hasTimeInForce(draft.type)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lay its buttons out in a row */}
      <div class="trade-kinds" role="group" aria-label={TEXTS.type}>
        {TABS.map((each) => (
          <button
            type="button"
            key={each}
            data-tab={each}
            aria-pressed={each === tab}
            onClick={() => each !== tab && trading.setKind(KIND_TABS[each][0])}
          >
            {TEXTS.kindTabs[each]}
          </button>
        ))}
      </div>
      {(hasTime || kindsOf(tab).length > 1) && (
        <div class="trade-row trade-choices">
          {kindsOf(tab).length > 1 && (
            <KindSelect kinds={kindsOf(tab)} kind={kind} onKind={(chosen) => trading.setKind(chosen)} />
          )}
          {hasTime && (
            <TimePicker
              times={TIMES}
              time={draft.timeInForce}
              onTime={(timeInForce) => {
                trading.draft.value = { ...draft, timeInForce }
              }}
            />
          )}
        </div>
      )}
    </>
  )
}

type KindProps = {
  readonly kinds: readonly OrderKind[]
  readonly kind: OrderKind
  readonly onKind: (kind: OrderKind) => void
}

function KindSelect({ kinds, kind, onKind }: KindProps) {
  const id = useElementId()
  return (
    <div class="trade-field trade-type">
      <label for={id}>{TEXTS.type}</label>
      <select id={id} value={kind} onChange={({ currentTarget }) => onKind(currentTarget.value as OrderKind)}>
        {kinds.map((each) => (
          <option key={each} value={each}>
            {isListKind(each) ? TEXTS.lists.kinds[each] : TEXTS.types[each]}
          </option>
        ))}
      </select>
    </div>
  )
}
