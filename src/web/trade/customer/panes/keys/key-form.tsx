/** The form for a new API key. It proposes the fewest permissions. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { KEY_KINDS, KEY_WIRES } from '../../../../../units/order-enums.ts'
import { useElementId } from '../../../view/element-id.ts'
import { paneTexts } from '../pane-texts.ts'
import { type DraftProblem, KEY_DAYS, KEY_PERMISSIONS, type KeyDays, type KeyDraft } from './key-draft.ts'
import type { KeysFlow } from './keys-flow.ts'

export function KeyForm({ own, isBusy }: { readonly own: KeysFlow; readonly isBusy: boolean }) {
  const { keyForm: texts } = paneTexts()
  const ids = { name: useElementId(), days: useElementId(), note: useElementId() }
  const form = useRef<HTMLFormElement>(null)
  const draft = own.draft.value
  const problem = own.draftProblem.value
  // Focuses the invalid field; when the form opens, the first field.
  useLayoutEffect(() => {
    const more = form.current?.querySelector('details')
    if (problem === 'publicKey' && more) more.open = true
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problem])
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input')?.focus(), [])
  return (
    <form
      class="account-form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        void own.create()
      }}
    >
      <h3>{texts.title}</h3>
      <div class="trade-field">
        <label for={ids.name}>{texts.name}</label>
        <input
          id={ids.name}
          value={draft.name}
          maxLength={40}
          autocomplete="off"
          aria-describedby={ids.note}
          aria-invalid={problem === 'name'}
          onInput={({ currentTarget }) => own.set({ name: currentTarget.value })}
        />
        <p class="trade-hint" id={ids.note}>
          {texts.nameNote}
        </p>
        <Problem own={own} of={['name']} />
      </div>
      <Permissions own={own} draft={draft} />
      <Addresses own={own} draft={draft} />
      <div class="trade-field">
        <label for={ids.days}>{texts.ends}</label>
        <select
          id={ids.days}
          value={String(draft.days)}
          onChange={({ currentTarget }) => own.set({ days: Number(currentTarget.value) as KeyDays })}
        >
          {KEY_DAYS.map((days) => (
            <option key={days} value={String(days)}>
              {days === 0 ? texts.never : texts.inDays(String(days))}
            </option>
          ))}
        </select>
      </div>
      <Kind own={own} draft={draft} />
      <p class="trade-row">
        <button type="button" onClick={() => own.leave()}>
          {texts.leave}
        </button>
        <button type="submit" class="trade-primary" disabled={isBusy}>
          {texts.make}
        </button>
      </p>
    </form>
  )
}

/** A problem, shown next to the invalid field. */
function Problem({ own, of }: { readonly own: KeysFlow; readonly of: readonly DraftProblem[] }) {
  const problem = own.draftProblem.value
  if (problem === undefined || !of.includes(problem)) return null
  return (
    <p class="trade-problem" role="alert">
      {paneTexts().keyForm.problems[problem]}
    </p>
  )
}

type PartProps = { readonly own: KeysFlow; readonly draft: KeyDraft }

function Permissions({ own, draft: { permissions } }: PartProps) {
  const { keyForm: texts, keys } = paneTexts()
  const id = useElementId()
  return (
    <fieldset class="account-choices">
      <legend>{texts.may}</legend>
      <p class="trade-hint">{texts.mayNote}</p>
      {KEY_PERMISSIONS.map((each) => (
        <label key={each} class="account-choice">
          <input
            type="checkbox"
            checked={permissions.includes(each)}
            aria-invalid={own.draftProblem.value === 'permissions'}
            aria-describedby={`${id}-${each}`}
            onChange={({ currentTarget: { checked } }) =>
              own.set({
                permissions: checked
                  ? [...permissions, each]
                  : permissions.filter((permission) => permission !== each),
              })
            }
          />
          <span>
            {keys.permissions[each]}
            <span class="account-network" id={`${id}-${each}`}>
              {texts.permissionNotes[each]}
            </span>
          </span>
        </label>
      ))}
      <Problem own={own} of={['permissions']} />
    </fieldset>
  )
}

const OF_ADDRESSES: readonly DraftProblem[] = ['addresses', 'tooManyAddresses']

function Addresses({ own, draft }: PartProps) {
  const problem = own.draftProblem.value
  const { keyForm: texts } = paneTexts()
  const id = useElementId()
  return (
    <div class="trade-field">
      <label for={id}>{texts.from}</label>
      <textarea
        id={id}
        rows={2}
        value={draft.addresses}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${id}-note`}
        aria-invalid={problem !== undefined && OF_ADDRESSES.includes(problem)}
        onInput={({ currentTarget }) => own.set({ addresses: currentTarget.value })}
      />
      <p class="trade-hint" id={`${id}-note`}>
        {texts.fromNote}
      </p>
      <Problem own={own} of={OF_ADDRESSES} />
    </div>
  )
}

/** The kind of signature, and the interface: the defaults suit most people. */
function Kind({ own, draft }: PartProps) {
  const { keyForm: texts, keys } = paneTexts()
  const ids = { kind: useElementId(), own: useElementId(), wire: useElementId() }
  return (
    <details class="account-more">
      <summary>{texts.more}</summary>
      <div class="trade-field">
        <label for={ids.wire}>{texts.wire}</label>
        <select
          id={ids.wire}
          value={draft.wire}
          onChange={({ currentTarget }) => own.set({ wire: currentTarget.value as KeyDraft['wire'] })}
        >
          {KEY_WIRES.map((wire) => (
            <option key={wire} value={wire}>
              {keys.wires[wire]}
            </option>
          ))}
        </select>
      </div>
      <div class="trade-field">
        <label for={ids.kind}>{texts.kind}</label>
        <select
          id={ids.kind}
          value={draft.kind}
          onChange={({ currentTarget }) => own.set({ kind: currentTarget.value as KeyDraft['kind'] })}
        >
          {KEY_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {kind === 'HMAC' ? keys.hmac : keys.ed25519}
            </option>
          ))}
        </select>
      </div>
      {draft.kind === 'ED25519' && (
        <div class="trade-field">
          <label for={ids.own}>{texts.publicKey}</label>
          <textarea
            id={ids.own}
            rows={3}
            value={draft.publicKey}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={`${ids.own}-note`}
            aria-invalid={own.draftProblem.value === 'publicKey'}
            onInput={({ currentTarget }) => own.set({ publicKey: currentTarget.value })}
          />
          <p class="trade-hint" id={`${ids.own}-note`}>
            {texts.publicKeyNote}
          </p>
          <Problem own={own} of={['publicKey']} />
        </div>
      )}
    </details>
  )
}
