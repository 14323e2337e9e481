/** The question of a step-up: the exchange's text, and the ways to confirm it. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useElementId } from '../../view/element-id.ts'
import { useModal } from '../../view/modal.ts'
import { CurrentPassword } from './current-password.tsx'
import { paneTexts } from './pane-texts.ts'
import type { Asked, StepUpFlow } from './step-up-flow.ts'

export function StepUpDialog({ stepUp }: { readonly stepUp: StepUpFlow }) {
  const asked = stepUp.asked.value
  return asked === undefined ? null : <Question stepUp={stepUp} asked={asked} />
}

type QuestionProps = { readonly stepUp: StepUpFlow; readonly asked: Asked }

function Question({ stepUp, asked }: QuestionProps) {
  const dialog = useModal()
  const titleId = useElementId()
  const { stepUp: texts } = paneTexts()
  const isByPassword = useSignal(!asked.hasPasskey)
  const problem = stepUp.problem.value
  return (
    <dialog class="trade-dialog" ref={dialog} aria-labelledby={titleId} onClose={() => stepUp.leave(asked)}>
      <h2 id={titleId}>{texts.title}</h2>
      {asked.isAgain && <p role="status">{texts.again}</p>}
      <p class="account-text">{asked.text}</p>
      {problem !== '' && (
        <p class="trade-problem" role="alert">
          {problem}
        </p>
      )}
      {isByPassword.value ? (
        <ByPassword stepUp={stepUp} />
      ) : (
        <p>
          <button
            type="button"
            class="trade-primary account-wide"
            disabled={stepUp.isBusy.value}
            onClick={() => void stepUp.withPasskey()}
          >
            {texts.passkey}
          </button>
        </p>
      )}
      <p class="trade-row">
        {asked.hasPasskey && asked.hasPassword && (
          <button
            type="button"
            onClick={() => {
              isByPassword.value = !isByPassword.value
            }}
          >
            {isByPassword.value ? texts.otherPasskey : texts.otherPassword}
          </button>
        )}
        <button type="button" onClick={() => stepUp.leave(asked)}>
          {texts.leave}
        </button>
      </p>
    </dialog>
  )
}

function ByPassword({ stepUp }: { readonly stepUp: StepUpFlow }) {
  const { stepUp: texts } = paneTexts()
  const ids = { password: useElementId(), code: useElementId() }
  const password = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        void stepUp.withPassword(password.current?.value ?? '', code.current?.value.trim() ?? '')
        if (code.current !== null) code.current.value = ''
      }}
    >
      <CurrentPassword ids={ids} password={password} code={code} />
      <button type="submit" class="trade-primary account-wide" disabled={stepUp.isBusy.value}>
        {texts.password}
      </button>
    </form>
  )
}
