/** One field of a command, with an input for its kind and the known choices. */
import { useId } from 'preact/hooks'
import type { AdminOperation } from '../../../../contract/admin/admin.ts'
import type { FormField } from '../../state/command-form.ts'
import type { PageSession } from '../../state/page-session.ts'
import { helpOf, labelOf } from '../../texts/command-texts.ts'
import { say } from '../../texts/texts.ts'
import { useChoices } from './choices.ts'

type Parts = {
  readonly session: PageSession
  readonly operation: AdminOperation
  readonly field: FormField
  readonly value: string
  /** It is sent as empty, which removes what was set. */
  readonly isCleared: boolean
  readonly onValue: (value: string) => void
  readonly onClear: (isCleared: boolean) => void
}

export function FieldInput({ onClear, ...parts }: Parts) {
  const { field, operation, isCleared } = parts
  const id = useId()
  const mayBeCleared = field.option !== undefined && !field.isNeeded && /''|empty/.test(field.help)
  return (
    <div class="field">
      <label for={id}>
        {labelOf(field.field)}
        {!field.isNeeded && <span class="soft"> {say('(optional)')}</span>}
      </label>
      <Control id={id} {...parts} />
      <p class="help" id={`${id}-help`}>
        {helpOf(operation, field)}
      </p>
      {mayBeCleared && (
        <label class="check">
          <input
            type="checkbox"
            checked={isCleared}
            onChange={({ currentTarget }) => onClear(currentTarget.checked)}
          />{' '}
          {say('remove the current value')}
        </label>
      )}
    </div>
  )
}

function Control({
  id,
  session,
  operation,
  field,
  value,
  isCleared,
  onValue,
}: Omit<Parts, 'onClear'> & { readonly id: string }) {
  const known = useChoices(session, operation, field.field, value)
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
        {field.proposed === undefined && (
          <option value="">
            {field.isNeeded ? say('Choose') : say(operation.endsWith('/set') ? 'Unchanged' : 'Default')}
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {field.kind === 'switch' ? say(choice === 'on' ? 'on' : 'off') : choice}
          </option>
        ))}
      </select>
    )
  }
  return (
    <>
      <input
        id={id}
        list={known === undefined ? undefined : `${id}-known`}
        aria-describedby={help}
        required={field.isNeeded}
        disabled={isCleared}
        inputMode={field.kind === 'integer' ? 'numeric' : field.field === 'amount' ? 'decimal' : undefined}
        autocomplete="off"
        spellcheck={false}
        value={isCleared ? '' : value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {known !== undefined && (
        <datalist id={`${id}-known`}>
          {known.map(({ value: choice, about }) => (
            <option key={choice} value={choice}>
              {about}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}
