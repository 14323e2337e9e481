/** The choice of a history's period. */

import { TEXTS } from '../../../shared/texts/texts.ts'
import { zoneName } from '../../../shared/texts/time-zone.ts'
import { useElementId } from '../../view/element-id.ts'
import { Choice } from './choice.tsx'
import { PERIODS, type Period, type PeriodProblem } from './period.ts'

type PickerProps = {
  readonly period: Period
  readonly problem: PeriodProblem | undefined
  readonly onPeriod: (period: Period) => void
}

export function PeriodPicker({ period, problem, onPeriod }: PickerProps) {
  const { history: words } = TEXTS.account
  const id = useElementId()
  return (
    <>
      <Choice
        label={words.period(zoneName())}
        value={period.kind}
        options={PERIODS.map((kind) => [kind, words.periods[kind]] as const)}
        onChoice={(kind) => onPeriod({ ...period, kind })}
      />
      {period.kind === 'CHOSEN' &&
        (['from', 'to'] as const).map((end) => (
          <div class="history-choice" key={end}>
            <label for={`${id}-${end}`}>{words[end](zoneName())}</label>
            <input
              id={`${id}-${end}`}
              type="datetime-local"
              value={period[end]}
              aria-invalid={problem !== undefined}
              aria-describedby={problem === undefined ? undefined : `${id}-problem`}
              onChange={({ currentTarget }) => onPeriod({ ...period, [end]: currentTarget.value })}
            />
          </div>
        ))}
      {problem !== undefined && (
        <p class="trade-problem" id={`${id}-problem`} role="alert">
          {words.periodProblems[problem]}
        </p>
      )}
    </>
  )
}
