/** Where a person gives the page a key, and takes it away again. */
import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { TEXTS } from '../../texts/texts.ts'
import type { KeyHolder } from '../key/key-holder.ts'
import { SANDBOX_ACCOUNTS, sandboxKey } from '../key/sandbox-keys.ts'
import { messageOf } from '../state/desk.ts'
import { Confirm } from './confirm.tsx'

export function KeyForm({ holder, isSandbox }: { readonly holder: KeyHolder; readonly isSandbox: boolean }) {
  const ids = { name: useId(), secret: useId() }
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
      await holder.take(apiKey, secret)
    } catch (error) {
      problem.value = messageOf(error)
    }
  }
  return (
    <div class="trade-key">
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

/** The key at hand, by the end of its name. */
export function HeldKey({
  holder,
  apiKey,
  isKept,
}: {
  readonly holder: KeyHolder
  readonly apiKey: string
  readonly isKept: boolean
}) {
  const isAsked = useSignal(false)
  const name = `${apiKey.slice(0, 8)}…`
  return (
    <div class="trade-held">
      <span title={apiKey}>{TEXTS.key.held(name)}</span>
      <button
        type="button"
        onClick={() => {
          isAsked.value = true
        }}
      >
        {TEXTS.key.forget}
      </button>
      {!isKept && <p>{TEXTS.key.notKept}</p>}
      {isAsked.value && (
        <Confirm
          title={TEXTS.key.forgetTitle(name)}
          yes={TEXTS.key.forget}
          no={TEXTS.key.keep}
          onYes={() => void holder.forget()}
          onNo={() => {
            isAsked.value = false
          }}
        >
          <p>{TEXTS.key.forgetNote}</p>
        </Confirm>
      )}
    </div>
  )
}
