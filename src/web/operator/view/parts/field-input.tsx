/** One field of a command, as what fits its kind. */
import { useId } from 'preact/hooks'
import type { FormField } from '../../state/command-form.ts'

type Parts = {
  readonly field: FormField
  readonly value: string
  /** It is sent as empty, which takes away what was set. */
  readonly isCleared: boolean
  readonly onValue: (value: string) => void
  readonly onClear: (isCleared: boolean) => void
}

export function FieldInput({ field, value, isCleared, onValue, onClear }: Parts) {
  const id = useId()
  const name = field.option ?? field.field
  const mayBeCleared = field.option !== undefined && !field.isNeeded && /''|empty/.test(field.help)
  return (
    <div class="field">
      <label for={id}>
        {name}
        {!field.isNeeded && <span class="soft"> (not needed)</span>}
      </label>
      <Control id={id} field={field} value={value} isCleared={isCleared} onValue={onValue} />
      <p class="help" id={`${id}-help`}>
        {field.help}
      </p>
      {mayBeCleared && (
        <label class="check">
          <input
            type="checkbox"
            checked={isCleared}
            onChange={({ currentTarget }) => onClear(currentTarget.checked)}
          />{' '}
          take away what is set
        </label>
      )}
    </div>
  )
}

function Control({ id, field, value, isCleared, onValue }: Omit<Parts, 'onClear'> & { readonly id: string }) {
  const help = `${id}-help`
  const choices = field.kind === 'switch' ? ['on', 'off'] : field.kind === 'list' ? undefined : field.values
  if (choices !== undefined) {
    return (
      <select
        id={id}
        aria-describedby={help}
        required={field.isNeeded}
        disabled={isCleared}
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        {field.proposed === undefined && <option value="">{field.isNeeded ? 'Choose' : 'As it is'}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      id={id}
      aria-describedby={help}
      required={field.isNeeded}
      disabled={isCleared}
      inputMode={field.kind === 'integer' ? 'numeric' : undefined}
      autocomplete="off"
      spellcheck={false}
      value={isCleared ? '' : value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  )
}
