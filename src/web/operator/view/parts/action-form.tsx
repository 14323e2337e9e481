/**
 * The dialog of one command: the command is sent only once, however often the button is pressed, and the
 * dialog stays open until the user has read the answer.
 */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { AdminCommand } from '../../../../cli/admin/command.ts'
import type { AdminRequests } from '../../../../contract/admin/admin.ts'
import { saveFile } from '../../../shared/save-file.ts'
import {
  commandLine,
  type FormValues,
  formFields,
  formRequest,
  proposedValues,
} from '../../state/command-form.ts'
import { sendCommand, shownAnswer } from '../../state/command-send.ts'
import { type Refused, sha256 } from '../../state/page-session.ts'
import { labelOf, questionOf, summaryOf, titleOf } from '../../texts/command-texts.ts'
import { say, type Text } from '../../texts/texts.ts'
import type { ActionParts } from './action-parts.ts'
import { answerText } from './answer-text.ts'
import { FieldInput } from './field-input.tsx'
import { Problem } from './parts.tsx'
import { PreviewTable } from './preview-table.tsx'
import { Result } from './result.tsx'

type FormParts = Omit<ActionParts, 'command'> & {
  readonly command: AdminCommand
  readonly onClose: () => void
}

/** The outcome: its text, and the node's answer. */
type Done = { readonly said?: string | undefined; readonly result?: unknown }

export function ActionForm(parts: FormParts) {
  const { command, session, about, onClose } = parts
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const summaryId = useId()
  const form = useForm(parts)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const isConfirmed = session.state.value?.confirmed.includes(command.operation) === true
  return (
    <dialog
      ref={dialog}
      class={form.done.value?.result === undefined ? undefined : 'wide'}
      aria-labelledby={titleId}
      aria-describedby={summaryId}
      onClose={onClose}
      onCancel={(event) => {
        // Keeps the dialog open until the operator sees the result.
        if (form.isUnderWay.value) event.preventDefault()
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void form.send()
        }}
      >
        <h2 id={titleId}>{titleOf(command)}</h2>
        <p id={summaryId}>{summaryOf(command)}</p>
        {form.done.value === undefined ? (
          <>
            {about !== undefined && <p class="about">{about}</p>}
            <Fields parts={parts} form={form} />
            {!command.isReading && <NoteInput form={form} />}
            {isConfirmed && <TokenInput form={form} />}
            <PreviewTable
              session={session}
              command={command}
              record={parts.record}
              values={form.values.value}
              cleared={form.cleared.value}
            />
            <Forecast command={command} form={form} />
            {form.problem.value !== undefined && <Problem {...form.problem.value} />}
            <footer>
              <button type="button" disabled={form.isUnderWay.value} onClick={() => dialog.current?.close()}>
                {say('Cancel')}
              </button>
              <button type="submit" class="primary" aria-disabled={form.isUnderWay.value}>
                {form.isUnderWay.value ? say('Sending …') : titleOf(command)}
              </button>
            </footer>
          </>
        ) : (
          <Outcome done={form.done.value} close={() => dialog.current?.close()} />
        )}
      </form>
    </dialog>
  )
}

type Form = ReturnType<typeof useForm>

function Fields({ parts, form }: { readonly parts: FormParts; readonly form: Form }) {
  const { command, session, fixed = {} } = parts
  const fields = formFields(command)
  const known = fields.filter(({ field }) => fixed[field] !== undefined)
  return (
    <>
      {known.length > 0 && (
        <dl class="fixed">
          {known.map(({ field }) => (
            <div key={field}>
              <dt>{labelOf(field)}</dt>
              <dd>{fixed[field]}</dd>
            </div>
          ))}
        </dl>
      )}
      {fields
        .filter(({ field }) => fixed[field] === undefined)
        .map((field) => (
          <FieldInput
            key={field.field}
            session={session}
            operation={command.operation}
            field={field}
            value={form.values.value[field.field] ?? ''}
            isCleared={form.cleared.value.has(field.field)}
            onValue={(value) => form.set(field.field, value)}
            onClear={(isCleared) => form.clear(field.field, isCleared)}
          />
        ))}
    </>
  )
}

function NoteInput({ form }: { readonly form: Form }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{say('Note: why you do this (kept in the audit trail)')}</label>
      <input
        id={id}
        required
        maxLength={200}
        value={form.note.value}
        onInput={({ currentTarget }) => {
          form.note.value = currentTarget.value
        }}
      />
    </div>
  )
}

function TokenInput({ form }: { readonly form: Form }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{say('Your token again')}</label>
      <input
        id={id}
        type="password"
        autocomplete="off"
        required
        value={form.token.value}
        onInput={({ currentTarget }) => {
          form.token.value = currentTarget.value
        }}
      />
    </div>
  )
}

/** The confirmation of a command that is hard to undo, and the equivalent command line. */
function Forecast({ command, form }: { readonly command: AdminCommand; readonly form: Form }) {
  const values = form.values.value
  const line = commandLine(command, values, form.note.value.trim(), form.cleared.value)
  const request = formRequest(command, values, form.note.value.trim(), form.cleared.value)
  const question = request.ok ? questionOf(command, request.request) : undefined
  const copied = useSignal<Text>('Copy')
  return (
    <div class="forecast">
      {question !== undefined && <p class="question">{question}</p>}
      <p class="line-title">{say('The same command in a terminal:')}</p>
      <div class="line">
        <code>{line}</code>
        <button
          type="button"
          onClick={async () => {
            // A browser may forbid copying; the line can then be selected.
            copied.value = await navigator.clipboard.writeText(line).then(
              () => 'Copied' as const,
              () => 'Select and copy it' as const,
            )
          }}
        >
          {say(copied.value)}
        </button>
      </div>
    </div>
  )
}

function Outcome({ done: { said, result }, close }: { readonly done: Done; readonly close: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  // The button appears together with the text, so that Enter presses it.
  useLayoutEffect(() => button.current?.focus(), [])
  return (
    <>
      <div class="outcome" role="status">
        {said !== undefined && <p>{said}</p>}
        {result !== undefined && <Result result={result} />}
      </div>
      <footer>
        <button type="button" class="primary" ref={button} onClick={close}>
          {say('Close')}
        </button>
      </footer>
    </>
  )
}

function useForm({ command, session, fixed = {}, initial = {}, shownText, onDone }: FormParts) {
  const values = useSignal<FormValues>({ ...proposedValues(command), ...initial, ...fixed })
  const cleared = useSignal<ReadonlySet<string>>(new Set())
  const note = useSignal('')
  const token = useSignal('')
  const isUnderWay = useSignal(false)
  const problem = useSignal<Refused | undefined>(undefined)
  const done = useSignal<Done | undefined>(undefined)
  // Without a session all typed text is discarded.
  useSignalEffect(() => {
    if (session.state.value === null) token.value = ''
  })
  const send = async (): Promise<void> => {
    if (isUnderWay.value) return
    const made = formRequest(command, values.value, note.value.trim(), cleared.value)
    if (!made.ok) {
      problem.value = { reason: 'NOT_UNDERSTOOD', message: made.problem }
      return
    }
    isUnderWay.value = true
    const confirmation = token.value === '' ? undefined : token.value
    // The field is cleared at once: the token exists only in this one request.
    token.value = ''
    const ask = (shown: string | undefined) =>
      session.ask(command.operation, made.request as AdminRequests[never], { confirmation, shown })
    const answer = await sendCommand({ command, shownText, digest: sha256, ask })
    isUnderWay.value = false
    problem.value = answer.ok ? undefined : answer.error
    if (!answer.ok) {
      // The view is refreshed, so that it shows whether the command was done.
      if (['NO_ANSWER', 'OUTCOME_UNKNOWN'].includes(answer.error.reason)) onDone?.()
      return
    }
    done.value = shownAnswer<Done>(
      () => doneOf(command, answer.result),
      (problem) => ({
        said: say('The command was carried out, but its answer cannot be shown: {problem}', { problem }),
      }),
    )
    onDone?.()
  }
  return {
    ...{ values, cleared, note, token, isUnderWay, problem, done, send },
    set: (field: string, value: string) => {
      values.value = { ...values.value, [field]: value }
    },
    clear: (field: string, isCleared: boolean) => {
      const others = [...cleared.value].filter((one) => one !== field)
      cleared.value = new Set(isCleared ? [...others, field] : others)
    },
  }
}

/** A report has no text here: it is saved as a file. */
function doneOf(command: AdminCommand, result: unknown): Done {
  if (command.show === undefined) {
    const text = typeof result === 'string' ? result : JSON.stringify(result, undefined, 2)
    saveFile({ name: `${titleOf(command)}.txt`, type: 'text/plain', parts: [text] })
    return {
      said: say('Saved as a file: {count} characters.', { count: text.length.toLocaleString('en-US') }),
    }
  }
  return answerText(command.operation, result) ?? { result }
}
