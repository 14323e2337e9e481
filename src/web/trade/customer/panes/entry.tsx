/** Signing in, and opening an account: one step at a time. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { momentText } from '../../account/history/period.ts'
import { useElementId } from '../../view/element-id.ts'
import { CodeList } from './code-list.tsx'
import { CurrentPassword } from './current-password.tsx'
import type { EntryFlow } from './entry-flow.ts'
import { AppSecret } from './factors/app-form.tsx'
import { PasswordField } from './factors/password-part.tsx'
import { paneTexts } from './pane-texts.ts'

type StepProps = { readonly flow: EntryFlow }

export function Entry({ flow }: StepProps) {
  return (
    <>
      <Step flow={flow} />
      {flow.problem.value !== '' && (
        <p class="trade-problem" role="alert">
          {flow.problem.value}
        </p>
      )}
      {flow.isElsewhere.value && (
        <p>
          <a href={namedHere()}>{paneTexts().elsewhere(namedHere())}</a>
        </p>
      )}
    </>
  )
}

function Step({ flow }: StepProps) {
  const { entry, help, loading } = paneTexts()
  switch (flow.step.value) {
    case 'START':
    case 'SIGNED_IN':
      return (
        <p class="trade-none" role="status">
          {loading}
        </p>
      )
    case 'BEGIN':
      return <Begin flow={flow} />
    case 'SENT':
      return <p role="status">{flow.config.value?.isSandbox ? entry.sentSandbox : entry.sent}</p>
    case 'WAITING':
      return <p role="status">{entry.waiting}</p>
    case 'CONFIRM':
      return (
        <>
          <p>{entry.confirmNote}</p>
          <Act flow={flow} text={entry.confirm} work={() => flow.confirm()} />
        </>
      )
    case 'PASSKEY':
      return (
        <>
          <p>{entry.passkeyNote}</p>
          <Act flow={flow} text={entry.makePasskey} work={() => flow.register()} />
          {flow.mayUsePassword && <Other text={entry.noPasskey} onChoice={() => flow.show('NEW_PASSWORD')} />}
        </>
      )
    case 'PASSWORD':
      return <PasswordSignIn flow={flow} />
    case 'NEW_PASSWORD':
      return <NewPassword flow={flow} />
    case 'APP':
      return flow.app.value === undefined ? null : (
        <AppSecret
          app={flow.app.value}
          isBusy={flow.isBusy.value}
          onCode={(code) => void flow.finishApp(code)}
        />
      )
    case 'CODES':
      return (
        <CodeList
          codes={flow.codes.value}
          note={help.codesNote}
          saved={help.codesSaved}
          onSaved={() => flow.goOn()}
        />
      )
    default:
      return <Help flow={flow} />
  }
}

/** The steps after an email link, and after a lost passkey. */
function Help({ flow }: StepProps) {
  const { help } = paneTexts()
  switch (flow.step.value) {
    case 'HELP':
      return <AskForMail flow={flow} />
    case 'RECOVER':
      return <Recover flow={flow} />
    case 'ASK_OPERATORS':
      return (
        <>
          <p>{help.askNote}</p>
          <Act flow={flow} text={help.ask} work={() => flow.askOperators()} />
          <Other text={paneTexts().entry.useOther} onChoice={() => flow.show('RECOVER')} />
        </>
      )
    case 'ASKED':
      return <p role="status">{help.asked(momentText(flow.readyAt.value))}</p>
    case 'RESET':
      return (
        <>
          <p>{help.resetNote}</p>
          <Act flow={flow} text={help.recover} work={() => flow.reset()} />
        </>
      )
    case 'MAIL':
      return (
        <>
          <p>{help.mailNote}</p>
          <Act flow={flow} text={help.mailConfirm} work={() => flow.confirmMail()} />
        </>
      )
    case 'MAIL_CHANGED':
      return <p role="status">{help.mailChanged}</p>
    case 'FREEZE':
      return (
        <>
          <p>{help.freezeNote}</p>
          <Act flow={flow} text={help.freeze} work={() => flow.freeze()} />
        </>
      )
    case 'UNFREEZE':
      return (
        <>
          <p>{help.unfreezeNote}</p>
          <Act flow={flow} text={help.unfreeze} work={() => flow.unfreeze()} />
        </>
      )
    case 'HELP_SENT':
      return <p role="status">{flow.config.value?.isSandbox ? help.sentSandbox : help.sent}</p>
    case 'FROZEN':
      return <p role="status">{help.frozen}</p>
    case 'ERASED':
      return <p role="status">{help.erased}</p>
    case 'LIFTED':
      return (
        <>
          <p role="status">{help.lifted}</p>
          <Act flow={flow} text={paneTexts().entry.signIn} work={() => flow.signIn()} />
        </>
      )
    default:
      return null
  }
}

function AskForMail({ flow }: StepProps) {
  const { entry, help } = paneTexts()
  const mailId = useElementId()
  const mail = useRef<HTMLInputElement>(null)
  const send = (path: 'recover/begin' | 'unfreeze/begin') => {
    const input = mail.current
    if (input?.reportValidity()) void flow.askForMail(input.value.trim(), path)
  }
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        send('recover/begin')
      }}
    >
      <p>{help.note}</p>
      <div class="trade-field">
        <label for={mailId}>{entry.mail}</label>
        <input id={mailId} ref={mail} type="email" autocomplete="email" required />
      </div>
      <button type="submit" class="account-wide" disabled={flow.isBusy.value}>
        {help.askRecovery}
      </button>
      <button
        type="button"
        class="account-wide"
        disabled={flow.isBusy.value}
        onClick={() => send('unfreeze/begin')}
      >
        {help.askLift}
      </button>
    </form>
  )
}

function Recover({ flow }: StepProps) {
  const { help } = paneTexts()
  const codeId = useElementId()
  const code = useRef<HTMLInputElement>(null)
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        void flow.recover(code.current?.value.trim() ?? '')
      }}
    >
      <p>{help.recoverNote}</p>
      <div class="trade-field">
        <label for={codeId}>{help.code}</label>
        <input id={codeId} ref={code} autocomplete="off" spellcheck={false} required />
      </div>
      <button type="submit" class="trade-primary account-wide" disabled={flow.isBusy.value}>
        {help.recover}
      </button>
      <button type="button" class="account-wide" onClick={() => flow.show('ASK_OPERATORS')}>
        {help.noCode}
      </button>
    </form>
  )
}

function Begin({ flow }: StepProps) {
  const { entry, help } = paneTexts()
  return (
    <>
      {flow.note.value !== '' && <p role="status">{flow.note.value}</p>}
      <Act flow={flow} text={entry.signIn} work={() => flow.signIn()} />
      <Other text={entry.usePassword} onChoice={() => flow.show('PASSWORD')} />
      <Other text={help.offer} onChoice={() => flow.show('HELP')} />
      <SignUp flow={flow} />
    </>
  )
}

/** According to the sign-up mode: the form with its fields, or a note that sign-up is closed. */
function SignUp({ flow }: StepProps) {
  const { entry } = paneTexts()
  const mailId = useElementId()
  const mail = useRef<HTMLInputElement>(null)
  const invitationId = useElementId()
  const invitation = useRef<HTMLInputElement>(null)
  const mode = flow.config.value?.signUp
  if (mode === undefined) return null
  if (mode === 'CLOSED') return <p class="trade-hint">{entry.closed}</p>
  return (
    <>
      <h3>{entry.newHere}</h3>
      {mode === 'INVITATION' && <p class="trade-hint">{entry.byInvitation}</p>}
      {mode === 'APPROVAL' && <p class="trade-hint">{entry.approval}</p>}
      <form
        class="account-form"
        onSubmit={(event) => {
          event.preventDefault()
          void flow.begin(mail.current?.value.trim() ?? '', invitation.current?.value.trim() ?? '')
        }}
      >
        <div class="trade-field">
          <label for={mailId}>{entry.mail}</label>
          <input id={mailId} ref={mail} type="email" autocomplete="email" required />
        </div>
        {(mode === 'INVITATION' || mode === 'APPROVAL') && (
          <div class="trade-field">
            <label for={invitationId}>
              {mode === 'INVITATION' ? entry.invitation : entry.invitationIfAny}
            </label>
            <input id={invitationId} ref={invitation} autocomplete="off" required={mode === 'INVITATION'} />
          </div>
        )}
        <p class="trade-hint">{entry.terms}</p>
        <button type="submit" class="account-wide" disabled={flow.isBusy.value}>
          {entry.signUp}
        </button>
      </form>
    </>
  )
}

function PasswordSignIn({ flow }: StepProps) {
  const { entry } = paneTexts()
  const ids = { mail: useElementId(), password: useElementId(), code: useElementId() }
  const mail = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => mail.current?.focus(), [])
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        const [who, secret, digits] = [mail, password, code].map(({ current }) => current?.value ?? '')
        void flow.signInWithPassword((who ?? '').trim(), secret ?? '', (digits ?? '').trim())
      }}
    >
      <h3>{entry.passwordTitle}</h3>
      <div class="trade-field">
        <label for={ids.mail}>{entry.mail}</label>
        <input id={ids.mail} ref={mail} type="email" autocomplete="username" required />
      </div>
      <CurrentPassword ids={ids} password={password} code={code} />
      <button type="submit" class="trade-primary account-wide" disabled={flow.isBusy.value}>
        {entry.signInNow}
      </button>
      <button type="button" class="account-wide" onClick={() => flow.show('BEGIN')}>
        {entry.useOther}
      </button>
    </form>
  )
}

function NewPassword({ flow }: StepProps) {
  const { entry, password: words } = paneTexts()
  const id = useElementId()
  const password = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => password.current?.focus(), [])
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        void flow.newPassword(password.current?.value ?? '')
      }}
    >
      <p>{entry.passwordNote}</p>
      <PasswordField id={id} field={password} label={words.newPassword} note={words.form} />
      <button type="submit" class="trade-primary account-wide" disabled={flow.isBusy.value}>
        {words.save}
      </button>
      <button type="button" class="account-wide" onClick={() => flow.show('PASSKEY')}>
        {entry.useOther}
      </button>
    </form>
  )
}

function Other({ text, onChoice }: { readonly text: string; readonly onChoice: () => void }) {
  return (
    <p>
      <button type="button" class="account-wide" onClick={onChoice}>
        {text}
      </button>
    </p>
  )
}

function Act({
  flow,
  text,
  work,
}: StepProps & { readonly text: string; readonly work: () => Promise<void> }) {
  return (
    <p>
      <button
        type="button"
        class="trade-primary account-wide"
        disabled={flow.isBusy.value}
        onClick={() => void work()}
      >
        {text}
      </button>
    </p>
  )
}

/** The address to which the passkeys of a sandbox are bound. */
function namedHere(): string {
  const { protocol, port } = location
  return `${protocol}//localhost:${port}`
}
