/** Which order it is to be: side, type or list, and how long it lasts. */
import type { Side, TimeInForce } from '../../../../client/interface/words.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Desk } from '../../state/desk.ts'
import { hasTimeInForce } from '../../state/draft/draft.ts'
import { isListKind } from '../../state/draft/list-draft.ts'
import { KIND_TABS, kindsOf, type OrderKind, TABS, tabOf } from '../../state/draft/order-kinds.ts'
import { useElementId } from '../element-id.ts'
import { TimePicker } from './time-picker.tsx'

const SIDES: readonly Side[] = ['BUY', 'SELL']
const TIMES: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'GTD']

export function SidePicker({ desk }: { readonly desk: Desk }) {
  const draft = desk.draft.value
  return (
    <div class="trade-row trade-sides">
      {SIDES.map((side) => (
        <button
          type="button"
          key={side}
          data-side={side}
          aria-pressed={draft.side === side}
          onClick={() => desk.setSide(side)}
        >
          {TEXTS.side[side]}
        </button>
      ))}
    </div>
  )
}

export function TypePicker({ desk }: { readonly desk: Desk }) {
  const [draft, list] = [desk.draft.value, desk.list.value]
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
            onClick={() => each !== tab && desk.setKind(KIND_TABS[each][0])}
          >
            {TEXTS.kindTabs[each]}
          </button>
        ))}
      </div>
      {(hasTime || kindsOf(tab).length > 1) && (
        <div class="trade-row trade-choices">
          {kindsOf(tab).length > 1 && (
            <KindSelect kinds={kindsOf(tab)} kind={kind} onKind={(chosen) => desk.setKind(chosen)} />
          )}
          {hasTime && (
            <TimePicker
              times={TIMES}
              time={draft.timeInForce}
              onTime={(timeInForce) => {
                desk.draft.value = { ...draft, timeInForce }
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
