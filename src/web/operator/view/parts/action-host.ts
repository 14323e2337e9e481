/** Where the dialog of a command is shown: beside the views, so that it stays when the row that it was opened from goes. */
import type { Signal } from '@preact/signals'
import { createContext } from 'preact'
import type { ActionParts } from './action-parts.ts'

export type OpenAction = {
  readonly parts: ActionParts
  /** Which has the focus again when the dialog is closed, where it is still there. */
  readonly button: HTMLButtonElement | null
}

/** Undefined: no dialog is open. */
export const ActionHost = createContext<Signal<OpenAction | undefined> | undefined>(undefined)
