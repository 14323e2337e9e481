/** The login over views that are kept: what was typed there is there again for the same person, and goes when it is another one. */
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { PageSession } from '../state/page-session.ts'
import { LoginForm } from './login.tsx'

export function LoginAgain({
  session,
  onClose,
}: {
  readonly session: PageSession
  /** The session that there is goes on. */
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
      // While it is open nothing beside it can have the focus, nor what is hidden: the views are shown again after this.
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
      <h2 id={titleId}>Log in again</h2>
      <LoginForm
        session={session}
        about={`What ${owner} has typed is kept for ${owner}, and forgotten when somebody else logs in.`}
        more={
          hasEnded ? (
            <button type="button" onClick={() => session.forget()}>
              Forget it and leave
            </button>
          ) : (
            <button type="button" onClick={onClose}>
              Not now
            </button>
          )
        }
      />
    </dialog>
  )
}
