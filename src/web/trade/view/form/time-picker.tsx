/** The choice of time in force: each code with its meaning. */
import type { TimeInForce } from '../../../../client/interface/words.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { timeText } from '../../state/draft/order-facts.ts'
import { useElementId } from '../element-id.ts'

type TimePickerProps = {
  readonly times: readonly TimeInForce[]
  readonly time: TimeInForce
  readonly onTime: (time: TimeInForce) => void
}

export function TimePicker({ times, time, onTime }: TimePickerProps) {
  const id = useElementId()
  return (
    <div class="trade-field trade-time">
      <label for={id}>{TEXTS.timeInForce}</label>
      <select
        id={id}
        value={time}
        title={timeText(time)}
        onChange={({ currentTarget }) => onTime(currentTarget.value as TimeInForce)}
      >
        {times.map((each) => (
          <option key={each} value={each}>
            {timeText(each)}
          </option>
        ))}
      </select>
    </div>
  )
}
