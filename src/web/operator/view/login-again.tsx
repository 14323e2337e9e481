/**
 * The login over views that are kept: typed text is still there for the same person, and is discarded for
 * another one.
 */
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { PageSession } from '../state/page-session.ts'
import { say } from '../texts/texts.ts'
import { LoginForm } from './login.tsx'

export function LoginAgain({
  session,
  onClose,
}: {
  readonly session: PageSession
  /** Called when the current session continues. */
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const owner = session.owner.value
  const hasEnded = session.state.value === null
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = dialog.current
    element?.showModal()
    element?.querySelector('input')?.focus()
    return () => {
      // While the dialog is open, nothing beside it can have the focus, nor can a hidden element: the views
      // are shown again afterwards.
      element?.close()
      queueMicrotask(() => {
        const wanted = before instanceof HTMLElement && before !== document.body && before.isConnected
        if (wanted) before.focus()
        else document.querySelector('main')?.focus()
      })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="login-again"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (!hasEnded) onClose()
      }}
    >
      <h2 id={titleId}>{say('Log in again')}</h2>
      <LoginForm
        session={session}
        about={say('What {owner} typed is kept for {owner} and is discarded when another person logs in.', {
          owner,
        })}
        more={
          hasEnded ? (
            <button type="button" onClick={() => session.forget()}>
              {say('Discard it and log out')}
            </button>
          ) : (
            <button type="button" onClick={onClose}>
              {say('Not now')}
            </button>
          )
        }
      />
    </dialog>
  )
}
