/** The form in which a user enters a key, and removes it again. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { TEXTS } from '../../shared/texts/texts.ts'
import { type AccountQuestion, CustomerEntry } from '../customer/lazy-account-dialog.tsx'
import type { KeyHolder } from '../key/key-holder.ts'
import { keyName } from '../key/key-name.ts'
import { SANDBOX_ACCOUNTS, sandboxKey } from '../key/sandbox-keys.ts'
import { messageOf } from '../state/trading-state.ts'
import { Confirm } from './confirm.tsx'
import { useElementId } from './element-id.ts'

export type KeyFormProps = {
  readonly holder: KeyHolder
  readonly isSandbox: boolean
  /** Whether people sign up and sign in by themselves. */
  readonly hasCustomers: boolean
  /** Opens the dialog in which a person signs in. */
  readonly opening: AccountQuestion
}

export function KeyForm({ holder, isSandbox, hasCustomers, opening }: KeyFormProps) {
  const ids = { name: useElementId(), secret: useElementId() }
  const problem = useSignal('')
  const nameInput = useRef<HTMLInputElement>(null)
  const secretInput = useRef<HTMLInputElement>(null)
  const take = async () => {
    if (nameInput.current === null || secretInput.current === null) return
    const [name, text] = [nameInput.current.value.trim(), secretInput.current.value.trim()]
    secretInput.current.value = ''
    problem.value = name === '' || text === '' ? TEXTS.key.incomplete : ''
    if (problem.value === '') await holder.take(name, text)
  }
  const takeSandbox = async (account: (typeof SANDBOX_ACCOUNTS)[number]) => {
    try {
      const { apiKey, secret } = await sandboxKey(account)
      await holder.take(apiKey, secret, account)
    } catch (error) {
      problem.value = messageOf(error)
    }
  }
  return (
    <div class="trade-key">
      {hasCustomers && (
        <p class="trade-row">
          <CustomerEntry opening={opening} />
        </p>
      )}
      {isSandbox && (
        <>
          <p>{TEXTS.key.sandboxIntro}</p>
          <p class="trade-row">
            {SANDBOX_ACCOUNTS.map((account) => (
              <button type="button" key={account} onClick={() => void takeSandbox(account)}>
                {TEXTS.key.sandbox(account)}
              </button>
            ))}
          </p>
        </>
      )}
      <p>{TEXTS.key.intro}</p>
      <form
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          void take()
        }}
      >
        <div class="trade-field">
          <label for={ids.name}>{TEXTS.key.name}</label>
          <input id={ids.name} ref={nameInput} autocomplete="off" spellcheck={false} />
        </div>
        <div class="trade-field">
          <label for={ids.secret}>{TEXTS.key.secret}</label>
          <input id={ids.secret} ref={secretInput} type="password" autocomplete="off" />
        </div>
        <button type="submit">{TEXTS.key.take}</button>
      </form>
      {problem.value !== '' && (
        <p class="trade-problem" role="alert">
          {problem.value}
        </p>
      )}
    </div>
  )
}

/** Asks before the key is removed from all tabs of this browser. */
export function ForgetQuestion({
  holder,
  onDone,
}: {
  readonly holder: KeyHolder
  readonly onDone: () => void
}) {
  const state = holder.state.value
  if (state.kind !== 'held') return null
  return (
    <Confirm
      title={TEXTS.key.forgetTitle(keyName(state.key))}
      yes={TEXTS.key.forget}
      no={TEXTS.key.keep}
      onYes={() => {
        onDone()
        void holder.forget()
      }}
      onNo={onDone}
    >
      <p>{TEXTS.key.forgetNote}</p>
    </Confirm>
  )
}
