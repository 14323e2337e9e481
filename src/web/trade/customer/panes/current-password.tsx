/** The fields for a person with a password: the password, and a code from the app. */
import type { RefObject } from 'preact'
import { paneTexts } from './pane-texts.ts'

type CurrentPasswordProps = {
  readonly ids: { readonly password: string; readonly code: string }
  readonly password: RefObject<HTMLInputElement>
  readonly code: RefObject<HTMLInputElement>
}

export function CurrentPassword({ ids, password, code }: CurrentPasswordProps) {
  const { password: words } = paneTexts()
  return (
    <>
      <div class="trade-field">
        <label for={ids.password}>{words.password}</label>
        <input
          id={ids.password}
          ref={password}
          type="password"
          autocomplete="current-password"
          minLength={12}
          maxLength={200}
          required
        />
      </div>
      <CodeField id={ids.code} field={code} />
    </>
  )
}

/** A code from an authenticator app. */
export function CodeField({
  id,
  field,
}: {
  readonly id: string
  readonly field: RefObject<HTMLInputElement>
}) {
  const { password: words } = paneTexts()
  return (
    <div class="trade-field">
      <label for={id}>{words.code}</label>
      <input
        id={id}
        ref={field}
        inputMode="numeric"
        autocomplete="one-time-code"
        pattern="[0-9]{6}"
        title={words.codeForm}
        required
      />
    </div>
  )
}
