/**
 * The assignment of keys, as stored by this browser. Keys are off until the user enables them, and no two
 * actions have the same key.
 */
import { computed, signal } from '@preact/signals'
import { browserEntry, type Entry, membersOf } from '../../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'

/** In the order of display, each with its default key. */
export const DEFAULT_KEYS = {
  BUY_BEST: 'b',
  SELL_BEST: 's',
  PLACE_AT_POINTER: 'l',
  TOGGLE_SIDE: 't',
  FOCUS_PRICE: 'p',
  FOCUS_QUANTITY: 'q',
  SHARE_25: '1',
  SHARE_50: '2',
  SHARE_75: '3',
  SHARE_100: '4',
  CANCEL_LAST: 'x',
  CANCEL_ALL: 'Shift+x',
  NEXT_MARKET: 'n',
  PREVIOUS_MARKET: 'Shift+n',
  SHOW_HOTKEYS: '?',
} as const

export type HotkeyAction = keyof typeof DEFAULT_KEYS

export const HOTKEY_ACTIONS = Object.keys(DEFAULT_KEYS) as readonly HotkeyAction[]

/** Undefined if the action has no key. */
export type KeyByAction = { readonly [Action in HotkeyAction]: string | undefined }

export type KeptHotkeys = { readonly isOn: boolean; readonly keyByAction: KeyByAction }

/** The reason why a key is not assigned to an action. */
export type KeyRefusal =
  | { readonly kind: 'NO_HOTKEY' }
  | { readonly kind: 'TAKEN'; readonly by: HotkeyAction }

export type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

/**
 * A key as it is stored: one that types a character; a letter with Shift has its own name. Undefined if the
 * key cannot be a hotkey: the browser and the page use all others for navigation, and combinations with Ctrl,
 * Alt and Meta.
 */
export function keyOf({ key, shiftKey, ctrlKey, altKey, metaKey }: Pressed): string | undefined {
  if (ctrlKey || altKey || metaKey || [...key].length !== 1 || key.trim() === '') return undefined
  const isLetter = key.toLowerCase() !== key.toUpperCase()
  if (!isLetter) return key
  return shiftKey ? `Shift+${key.toLowerCase()}` : key.toLowerCase()
}

export function hotkeyEntry(storage: BrowserStorage): Entry<KeptHotkeys> {
  return browserEntry(storage, 'bourse-hotkeys', readHotkeys)
}

function readHotkeys(kept: unknown): KeptHotkeys {
  const { isOn, keyByAction } = membersOf(kept)
  const keys = membersOf(keyByAction)
  const read = HOTKEY_ACTIONS.map((action) => [action, keys[action]] as const)
  const set = read.map(([, key]) => key).filter((key) => key !== undefined)
  const isSound =
    set.every((key) => typeof key === 'string' && isHotkey(key)) && new Set(set).size === set.length
  if (keyByAction === undefined || !isSound) return { isOn: isOn === true, keyByAction: DEFAULT_KEYS }
  return { isOn: isOn === true, keyByAction: Object.fromEntries(read) as KeyByAction }
}

function isHotkey(key: string): boolean {
  const letter = key.startsWith('Shift+') ? key.slice('Shift+'.length) : key
  return letter.length > 0 && letter.length <= 4 && letter.trim() !== ''
}

export class Hotkeys {
  readonly #entry: Entry<KeptHotkeys>
  readonly #kept = signal<KeptHotkeys>({ isOn: false, keyByAction: DEFAULT_KEYS })
  readonly isOn = computed(() => this.#kept.value.isOn)
  readonly keyByAction = computed(() => this.#kept.value.keyByAction)

  constructor(entry: Entry<KeptHotkeys>) {
    this.#entry = entry
    this.#kept.value = entry.read()
    entry.watch(() => {
      this.#kept.value = entry.read()
    })
  }

  switch(isOn: boolean): void {
    this.#write({ ...this.#kept.value, isOn })
  }

  /**
   * Assigns a key to an action; `key` undefined removes it. Returns the reason if it is refused; in that case
   * nothing changes.
   */
  set(action: HotkeyAction, key: string | undefined): KeyRefusal | undefined {
    const { keyByAction } = this.#kept.value
    if (key !== undefined && !isHotkey(key)) return { kind: 'NO_HOTKEY' }
    const by = HOTKEY_ACTIONS.find(
      (other) => other !== action && key !== undefined && keyByAction[other] === key,
    )
    if (by !== undefined) return { kind: 'TAKEN', by }
    this.#write({ ...this.#kept.value, keyByAction: { ...keyByAction, [action]: key } })
    return undefined
  }

  reset(): void {
    this.#write({ ...this.#kept.value, keyByAction: DEFAULT_KEYS })
  }

  /** The action that a key has now; undefined if it has none, and while keys are off. */
  actionOf(key: string | undefined): HotkeyAction | undefined {
    const { isOn, keyByAction } = this.#kept.value
    if (!isOn || key === undefined) return undefined
    return HOTKEY_ACTIONS.find((action) => keyByAction[action] === key)
  }

  #write(kept: KeptHotkeys): void {
    this.#kept.value = kept
    this.#entry.write(kept)
  }
}
