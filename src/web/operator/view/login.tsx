/** The operator's login, with a named token that is sent once and never stored. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { sentence } from '../state/notation.ts'
import type { PageSession, Refused } from '../state/page-session.ts'
import { say, shown } from '../texts/texts.ts'
import { LanguageChoice } from './language-choice.tsx'
import { Problem } from './parts/parts.tsx'

export function Login({ session }: { readonly session: PageSession }) {
  return (
    <main class="login">
      <section class="panel">
        <h1>{say('Operator')}</h1>
        {isSecureContext ? (
          <LoginForm session={session} />
        ) : (
          <p>
            {say('This page works over TLS, or on 127.0.0.1 and localhost. Use a tunnel, for example:')}{' '}
            <code>ssh -L 8081:127.0.0.1:8081 node.example</code>
          </p>
        )}
      </section>
      <LanguageChoice />
    </main>
  )
}

/** `about`: the first text; `more`: further buttons. */
export function LoginForm({
  session,
  about,
  more,
}: {
  readonly session: PageSession
  readonly about?: string
  readonly more?: ComponentChildren
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const token = useSignal('')
  const isUnderWay = useSignal(false)
  const problem = useSignal<Refused | undefined>(undefined)
  useLayoutEffect(() => input.current?.focus(), [])
  const send = async () => {
    if (isUnderWay.value) return
    isUnderWay.value = true
    const typed = token.value.trim()
    token.value = ''
    problem.value = await session.begin(typed)
    isUnderWay.value = false
  }
  const farewell = session.farewell.value
  return (
    <>
      {farewell !== '' && <p role="status">{sentence(shown(farewell))}</p>}
      {about !== undefined && <p>{about}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <div class="field">
          <label for={id}>{say('Your named token')}</label>
          <input
            id={id}
            ref={input}
            type="password"
            autocomplete="off"
            required
            value={token.value}
            onInput={({ currentTarget }) => {
              token.value = currentTarget.value
            }}
          />
          <p class="help">
            {say(
              'It begins with bourse_. The node’s own token does not open this page. Create a named token:',
            )}{' '}
            <code>bourse admin token add</code>
          </p>
        </div>
        {problem.value !== undefined && <Problem {...problem.value} />}
        <footer>
          {more}
          <button type="submit" class="primary" aria-disabled={isUnderWay.value}>
            {isUnderWay.value ? say('Checking …') : say('Log in')}
          </button>
        </footer>
      </form>
    </>
  )
}
