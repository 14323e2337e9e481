/** The dialog of one command: it is asked for once, however often the button is pressed, and stays until its answer was read. */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { AdminCommand } from '../../../../cli/admin/command.ts'
import type { AdminRequests } from '../../../../wire/admin.ts'
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
import { fieldsText } from '../../state/words.ts'
import type { ActionParts } from './action-parts.ts'
import { FieldInput } from './field-input.tsx'
import { Problem } from './parts.tsx'

type Parts = Omit<ActionParts, 'command'> & { readonly command: AdminCommand; readonly onClose: () => void }

/** What was done, in the words of the command line. */
type Done = { readonly text: string }

export function ActionForm(parts: Parts) {
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
      aria-labelledby={titleId}
      aria-describedby={summaryId}
      onClose={onClose}
      onCancel={(event) => {
        // The operator reads what came of it.
        if (form.isUnderWay.value) event.preventDefault()
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void form.send()
        }}
      >
        <h2 id={titleId}>{command.name}</h2>
        <p id={summaryId}>{command.summary}</p>
        {form.done.value === undefined ? (
          <>
            {about !== undefined && <p class="about">{about}</p>}
            <Fields parts={parts} form={form} />
            {!command.isReading && <NoteInput form={form} />}
            {isConfirmed && <TokenInput form={form} />}
            <Forecast command={command} form={form} />
            {form.problem.value !== undefined && <Problem {...form.problem.value} />}
            <footer>
              <button type="button" disabled={form.isUnderWay.value} onClick={() => dialog.current?.close()}>
                Do nothing
              </button>
              <button type="submit" class="primary" aria-disabled={form.isUnderWay.value}>
                {form.isUnderWay.value ? 'Asking …' : command.name}
              </button>
            </footer>
          </>
        ) : (
          <Outcome text={form.done.value.text} close={() => dialog.current?.close()} />
        )}
      </form>
    </dialog>
  )
}

type Form = ReturnType<typeof useForm>

function Fields({ parts, form }: { readonly parts: Parts; readonly form: Form }) {
  const { command, fixed = {} } = parts
  const fields = formFields(command)
  const known = fields.filter(({ field }) => fixed[field] !== undefined)
  return (
    <>
      {known.length > 0 && (
        <dl class="fixed">
          {known.map(({ field }) => (
            <div key={field}>
              <dt>{field}</dt>
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
      <label for={id}>Note: why (it stands in the audit trail for good)</label>
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
      <label for={id}>Your token again</label>
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

/** What it will do, and the same at a terminal. */
function Forecast({ command, form }: { readonly command: AdminCommand; readonly form: Form }) {
  const values = form.values.value
  const line = commandLine(command, values, form.note.value.trim(), form.cleared.value)
  const request = formRequest(command, values, form.note.value.trim(), form.cleared.value)
  const question = request.ok ? command.confirm?.(request.request) : undefined
  const copied = useSignal('Copy')
  return (
    <div class="forecast">
      {question !== undefined && <p class="question">{question}</p>}
      {request.ok && !command.isReading && (
        <p class="will">It will do this: {willText(command, request.request)}</p>
      )}
      <p class="line-title">The same at a terminal:</p>
      <div class="line">
        <code>{line}</code>
        <button
          type="button"
          onClick={async () => {
            // A browser may forbid it: then the line is there to be selected.
            copied.value = await navigator.clipboard.writeText(line).then(
              () => 'Copied',
              () => 'Select it',
            )
          }}
        >
          {copied.value}
        </button>
      </div>
    </div>
  )
}

/** Everything that is sent but the note, in one sentence. */
function willText({ name }: AdminCommand, request: Readonly<Record<string, unknown>>): string {
  const { note: _note, ...fields } = request
  return Object.keys(fields).length === 0 ? `${name}.` : `${name}: ${fieldsText(fields)}.`
}

function Outcome({ text, close }: { readonly text: string; readonly close: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  // With the text itself: who reads it and presses Enter at once presses this.
  useLayoutEffect(() => button.current?.focus(), [])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard */}
      <pre class="outcome" role="status" tabIndex={0}>
        {text}
      </pre>
      <footer>
        <button type="button" class="primary" ref={button} onClick={close}>
          Close
        </button>
      </footer>
    </>
  )
}

function useForm({ command, session, fixed = {}, initial = {}, shownText, onDone }: Parts) {
  const values = useSignal<FormValues>({ ...proposedValues(command), ...initial, ...fixed })
  const cleared = useSignal<ReadonlySet<string>>(new Set())
  const note = useSignal('')
  const token = useSignal('')
  const isUnderWay = useSignal(false)
  const problem = useSignal<Refused | undefined>(undefined)
  const done = useSignal<Done | undefined>(undefined)
  // Nothing is kept of it without a session, whatever else was typed.
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
    // The field is emptied at once: the token is nowhere but in this one request.
    token.value = ''
    const ask = (shown: string | undefined) =>
      session.ask(command.operation, made.request as AdminRequests[never], { confirmation, shown })
    const answer = await sendCommand({ command, shownText, digest: sha256, ask })
    isUnderWay.value = false
    problem.value = answer.ok ? undefined : answer.error
    if (!answer.ok) {
      // Whoever looks whether it was done sees what is so now.
      if (['NO_ANSWER', 'OUTCOME_UNKNOWN'].includes(answer.error.reason)) onDone?.()
      return
    }
    done.value = { text: shownAnswer(() => outcomeText(command, answer.result)) }
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

/** A report has no words of its own: it is saved as a file. */
function outcomeText(command: AdminCommand, result: unknown): string {
  if (command.show !== undefined) return command.show(result)
  const text = typeof result === 'string' ? result : JSON.stringify(result, undefined, 2)
  saveFile({ name: `${command.name}.txt`, type: 'text/plain', parts: [text] })
  return `${text.length.toLocaleString('en-US')} characters, saved as a file.`
}
