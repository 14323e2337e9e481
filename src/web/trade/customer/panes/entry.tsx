/** Signing in, and opening an account: one step at a time. */
import { useRef } from 'preact/hooks'
import { useElementId } from '../../view/element-id.ts'
import type { EntryFlow } from './entry-flow.ts'
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
  const { entry, loading } = paneTexts()
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
        </>
      )
    case 'CODES':
      return <Codes flow={flow} />
    default:
      return <Help flow={flow} />
  }
}

/** The steps of a mail's link, and of a lost passkey. */
function Help({ flow }: StepProps) {
  const { help } = paneTexts()
  switch (flow.step.value) {
    case 'HELP':
      return <AskForMail flow={flow} />
    case 'RECOVER':
      return <Recover flow={flow} />
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
      class="account-sign-up"
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
      class="account-sign-up"
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
    </form>
  )
}

function Codes({ flow }: StepProps) {
  const { help } = paneTexts()
  return (
    <>
      <p>{help.codesNote}</p>
      <ol class="account-codes">
        {flow.codes.value.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p>
        <button type="button" class="trade-primary account-wide" onClick={() => flow.goOn()}>
          {help.codesSaved}
        </button>
      </p>
    </>
  )
}

function Begin({ flow }: StepProps) {
  const { entry } = paneTexts()
  const mailId = useElementId()
  const mail = useRef<HTMLInputElement>(null)
  const invitationId = useElementId()
  const invitation = useRef<HTMLInputElement>(null)
  const mode = flow.config.value?.signUp
  return (
    <>
      <Act flow={flow} text={entry.signIn} work={() => flow.signIn()} />
      <p>
        <button type="button" class="account-wide" onClick={() => flow.help()}>
          {paneTexts().help.offer}
        </button>
      </p>
      <h3>{entry.newHere}</h3>
      <form
        class="account-sign-up"
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

/** The address to which a sandbox's passkeys are bound. */
function namedHere(): string {
  const { protocol, port } = location
  return `${protocol}//localhost:${port}`
}
