/** Where an operator says who he is: with a named token, which is sent once and kept nowhere. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { PageSession, Refused } from '../state/page-session.ts'
import { sentence } from '../state/words.ts'
import { Problem } from './parts/parts.tsx'

export function Login({ session }: { readonly session: PageSession }) {
  return (
    <main class="login">
      <section class="panel">
        <h1>Operator</h1>
        {isSecureContext ? (
          <LoginForm session={session} />
        ) : (
          <p>
            This page opens over TLS, or on <code>127.0.0.1</code> and <code>localhost</code>: a browser keeps
            no session elsewhere. Reach the server through a tunnel, for example{' '}
            <code>ssh -L 8081:127.0.0.1:8081 node.example</code>.
          </p>
        )}
      </section>
    </main>
  )
}

/** `about`: what is said first; `more`: further buttons. */
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
      {farewell !== '' && <p role="status">{sentence(farewell)}</p>}
      {about !== undefined && <p>{about}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <div class="field">
          <label for={id}>Your named token</label>
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
            It begins with bourse_. The node’s own token does not open this page: make a named one with{' '}
            <code>bourse admin token add</code>.
          </p>
        </div>
        {problem.value !== undefined && <Problem {...problem.value} />}
        <footer>
          {more}
          <button type="submit" class="primary" aria-disabled={isUnderWay.value}>
            {isUnderWay.value ? 'Asking …' : 'Open'}
          </button>
        </footer>
      </form>
    </>
  )
}
