/** How long an order lasts: the codes to choose from, and in words what the chosen one means. A box has no room for the words. */
import { useId } from 'preact/hooks'
import type { TimeInForce } from '../../../client/interface/words.ts'
import { TEXTS } from '../../texts/texts.ts'
import { timeText } from '../state/order-facts.ts'

type TimePickerProps = {
  readonly times: readonly TimeInForce[]
  readonly time: TimeInForce
  readonly onTime: (time: TimeInForce) => void
}

export function TimePicker({ times, time, onTime }: TimePickerProps) {
  const id = useId()
  return (
    <>
      <div class="trade-field">
        <label for={id}>{TEXTS.timeInForce}</label>
        <select
          id={id}
          value={time}
          aria-describedby={`${id}-meaning`}
          onChange={({ currentTarget }) => onTime(currentTarget.value as TimeInForce)}
        >
          {times.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </div>
      <p class="trade-hint trade-time" id={`${id}-meaning`}>
        {timeText(time)}
      </p>
    </>
  )
}
