/** A field for an exact number. Its problem is shown beside it, with suggested values. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { FieldProblem } from '../../state/draft/draft.ts'
import { useElementId } from '../element-id.ts'
import { problemText } from './order-texts.ts'

export type NumberInputProps = {
  readonly label: string
  readonly unit?: string | undefined
  readonly value: string
  readonly problem?: FieldProblem | undefined
  /** The name by which hotkeys and tests find the field. */
  readonly name?: string | undefined
  readonly onValue: (text: string) => void
  readonly onFocus?: () => void
  /** Content after the field, in the same line. */
  readonly children?: ComponentChildren
}

export function NumberInput(props: NumberInputProps) {
  const { label, unit, value, problem, name, onValue, onFocus, children } = props
  const id = useElementId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class="trade-field trade-number" data-beside={Boolean(children)}>
      <label for={id}>
        {label} {unit !== undefined && <span class="unit">{unit}</span>}
      </label>
      <input
        ref={input}
        id={id}
        data-field={name}
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onFocus={onFocus}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {children}
      {problem !== undefined && (
        <p class="trade-problem" id={`${id}-problem`}>
          {problemText(problem)}{' '}
          {problem.offers.map((offer) => (
            <button
              type="button"
              key={offer}
              onClick={() => {
                // The button disappears with the problem, so the focus moves to the field.
                input.current?.focus()
                onValue(offer)
              }}
            >
              {TEXTS.offer(offer)}
            </button>
          ))}
        </p>
      )}
    </div>
  )
}
