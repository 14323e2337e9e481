/** The place of the dialog of a command: beside the views, so that it stays when its row disappears. */
import type { Signal } from '@preact/signals'
import { createContext } from 'preact'
import type { ActionParts } from './action-parts.ts'

export type OpenAction = {
  readonly parts: ActionParts
  /** The button that gets the focus back when the dialog is closed, if it still exists. */
  readonly button: HTMLButtonElement | null
}

/** Undefined if no dialog is open. */
export const ActionHost = createContext<Signal<OpenAction | undefined> | undefined>(undefined)
