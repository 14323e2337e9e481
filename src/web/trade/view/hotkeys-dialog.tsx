/** The assignment of keys: it can be read, switched on and off, and changed. */
import { useSignal } from '@preact/signals'
import { TEXTS } from '../../shared/texts/texts.ts'
import { HOTKEY_ACTIONS, type HotkeyAction, type Hotkeys, keyOf } from '../state/sending/hotkeys.ts'
import { useElementId } from './element-id.ts'
import { useModal } from './modal.ts'

export type HotkeysDialogProps = { readonly hotkeys: Hotkeys; readonly onClose: () => void }

export function HotkeysDialog({ hotkeys, onClose }: HotkeysDialogProps) {
  const dialog = useModal()
  const id = useElementId()
  /** The action that waits for its new key. */
  const waiting = useSignal<HotkeyAction | undefined>(undefined)
  const said = useSignal('')
  const words = TEXTS.quick.hotkeys
  const take = (action: HotkeyAction, event: KeyboardEvent) => {
    if (event.key === 'Shift') return
    event.preventDefault()
    const isNone = event.key === 'Backspace' || event.key === 'Delete'
    const isLeft = event.key === 'Escape' || event.key === 'Tab'
    const key = isNone ? undefined : keyOf(event)
    if (!isLeft) {
      const refusal = key === undefined && !isNone ? { kind: 'NO_HOTKEY' as const } : hotkeys.set(action, key)
      if (refusal === undefined) said.value = ''
      else said.value = refusal.kind === 'TAKEN' ? words.taken(words.actions[refusal.by]) : words.noHotkey
      if (refusal !== undefined) return
    }
    waiting.value = undefined
  }
  return (
    <dialog class="trade-dialog trade-hotkeys" ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{words.title}</h2>
      <label class="trade-check">
        <input
          type="checkbox"
          checked={hotkeys.isOn.value}
          onChange={({ currentTarget }) => hotkeys.switch(currentTarget.checked)}
        />
        {words.isOn}
      </label>
      <p class="trade-hint">{words.about}</p>
      <p role="status" class="trade-problem">
        {said.value}
      </p>
      <dl class="trade-figures">
        {HOTKEY_ACTIONS.map((action) => (
          <div key={action}>
            <dt>{words.actions[action]}</dt>
            <dd>
              <button
                type="button"
                data-action={action}
                aria-label={words.change(words.actions[action], keyText(hotkeys.keyByAction.value[action]))}
                onClick={() => {
                  waiting.value = action
                  said.value = ''
                }}
                onKeyDown={(event) => {
                  if (waiting.value === action) take(action, event)
                }}
                onBlur={() => {
                  if (waiting.value === action) waiting.value = undefined
                }}
              >
                {waiting.value === action ? words.press : keyText(hotkeys.keyByAction.value[action])}
              </button>
            </dd>
          </div>
        ))}
      </dl>
      <p class="trade-row">
        <button type="button" onClick={() => hotkeys.reset()}>
          {words.reset}
        </button>
        <button type="button" class="trade-primary" onClick={onClose}>
          {words.close}
        </button>
      </p>
    </dialog>
  )
}

function keyText(key: string | undefined): string {
  return key ?? TEXTS.quick.hotkeys.none
}
