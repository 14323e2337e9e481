/** A field for an exact number. It says what is wrong beside it, and offers what may be put there. */
import { useId } from 'preact/hooks'
import { TEXTS } from '../../texts/texts.ts'
import type { FieldProblem } from '../state/draft.ts'
import { problemText } from './order-words.ts'

export type NumberInputProps = {
  readonly label: string
  readonly unit?: string | undefined
  readonly value: string
  readonly problem?: FieldProblem | undefined
  readonly onValue: (text: string) => void
}

export function NumberInput({ label, unit, value, problem, onValue }: NumberInputProps) {
  const id = useId()
  return (
    <div class="trade-field">
      <label for={id}>
        {label} {unit !== undefined && <span class="unit">{unit}</span>}
      </label>
      <input
        id={id}
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {problem !== undefined && (
        <p class="trade-problem" id={`${id}-problem`}>
          {problemText(problem)}{' '}
          {problem.offers.map((offer) => (
            <button type="button" key={offer} onClick={() => onValue(offer)}>
              {TEXTS.offer(offer)}
            </button>
          ))}
        </p>
      )}
    </div>
  )
}
