/** Which order it is to be: side, type or list, and how long it lasts. */
import { useId } from 'preact/hooks'
import type { OrderType, TimeInForce } from '../../../client/interface/words.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { Desk } from '../state/desk.ts'
import { hasTimeInForce } from '../state/draft.ts'
import type { ListKind } from '../state/list-draft.ts'
import type { Side } from '../state/sums.ts'

const SIDES: readonly Side[] = ['BUY', 'SELL']

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
  const ids = { type: useId(), time: useId() }
  const [draft, list] = [desk.draft.value, desk.list.value]
  return (
    <div class="trade-row">
      <div class="trade-field">
        <label for={ids.type}>{TEXTS.type}</label>
        <select
          id={ids.type}
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
        <div class="trade-field">
          <label for={ids.time}>{TEXTS.timeInForce}</label>
          <select
            id={ids.time}
            value={draft.timeInForce}
            onChange={({ currentTarget }) => {
              desk.draft.value = { ...draft, timeInForce: currentTarget.value as TimeInForce }
            }}
          >
            {Object.entries(TEXTS.timesInForce).map(([time, text]) => (
              <option key={time} value={time}>
                {time} · {text}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  )
}
