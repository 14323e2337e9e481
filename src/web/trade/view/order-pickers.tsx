/** Which order it is to be: side, type or list, and how long it lasts. */
import { useId } from 'preact/hooks'
import type { OrderType, Side, TimeInForce } from '../../../client/interface/words.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { Desk } from '../state/desk.ts'
import { hasTimeInForce } from '../state/draft.ts'
import type { ListKind } from '../state/list-draft.ts'
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
  const id = useId()
  const [draft, list] = [desk.draft.value, desk.list.value]
  return (
    <div class="trade-row">
      <div class="trade-field trade-type">
        <label for={id}>{TEXTS.type}</label>
        <select
          id={id}
          value={list?.kind ?? draft.type}
          onChange={({ currentTarget }) => desk.setKind(currentTarget.value as OrderType | ListKind)}
        >
          {Object.entries(TEXTS.types).map(([type, text]) => (
            <option key={type} value={type}>
              {text}
            </option>
          ))}
          <optgroup label={TEXTS.lists.group}>
            {Object.entries(TEXTS.lists.kinds).map(([kind, text]) => (
              <option key={kind} value={kind}>
                {text}
              </option>
            ))}
          </optgroup>
        </select>
      </div>
      {list === undefined && hasTimeInForce(draft.type) && (
        <TimePicker
          times={TIMES}
          time={draft.timeInForce}
          onTime={(timeInForce) => {
            desk.draft.value = { ...draft, timeInForce }
          }}
        />
      )}
    </div>
  )
}
