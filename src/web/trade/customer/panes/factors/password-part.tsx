/** The password with its authenticator app: set, changed, removed. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useElementId } from '../../../view/element-id.ts'
import { paneTexts } from '../pane-texts.ts'
import type { FactorsProps } from './factors-flow.ts'
import type { MeProps } from './passkeys-part.tsx'

export function PasswordPart({ factors, isBusy, me: { passkeys, hasPassword } }: MeProps) {
  const { password: texts } = paneTexts()
  return (
    <section>
      <h3>{texts.title}</h3>
      <p class="trade-hint">{texts.about}</p>
      <p>{hasPassword ? texts.isSet : texts.isNotSet}</p>
      <p class="account-actions">
        <button type="button" disabled={isBusy} onClick={() => factors.show('PASSWORD')}>
          {hasPassword ? texts.change : texts.setUp}
        </button>
        {hasPassword && (
          <button type="button" disabled={isBusy} onClick={() => void factors.beginApp()}>
            {texts.newApp}
          </button>
        )}
        {hasPassword && passkeys.length > 0 && (
          <button type="button" disabled={isBusy} onClick={() => void factors.removePassword()}>
            {texts.remove}
          </button>
        )}
      </p>
    </section>
  )
}

export function PasswordForm({ factors, isBusy }: FactorsProps) {
  const { password: texts, leave } = paneTexts()
  const id = useElementId()
  const password = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => password.current?.focus(), [])
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        void factors.setPassword(password.current?.value ?? '')
      }}
    >
      <h3>{texts.newTitle}</h3>
      <PasswordField id={id} field={password} label={texts.newPassword} note={texts.form} />
      <p class="trade-row">
        <button type="button" disabled={isBusy} onClick={() => factors.show('LIST')}>
          {leave}
        </button>
        <button type="submit" class="trade-primary" disabled={isBusy}>
          {texts.save}
        </button>
      </p>
    </form>
  )
}

type FieldProps = {
  readonly id: string
  readonly field: { current: HTMLInputElement | null }
  readonly label: string
  readonly note: string
}

/** A new password, which can be displayed, since it is typed only once. */
export function PasswordField({ id, field, label, note }: FieldProps) {
  const { password: texts } = paneTexts()
  const isShown = useSignal(false)
  return (
    <div class="trade-field">
      <label for={id}>{label}</label>
      <span class="account-with-button">
        <input
          id={id}
          ref={field}
          type={isShown.value ? 'text' : 'password'}
          autocomplete="new-password"
          spellcheck={false}
          minLength={12}
          maxLength={200}
          required
          aria-describedby={`${id}-note`}
        />
        <button
          type="button"
          aria-pressed={isShown.value}
          onClick={() => {
            isShown.value = !isShown.value
          }}
        >
          {texts.show}
        </button>
      </span>
      <p class="trade-hint" id={`${id}-note`}>
        {note}
      </p>
    </div>
  )
}
