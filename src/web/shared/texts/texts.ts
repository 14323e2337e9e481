/**
 * The texts of the trading page in the chosen language: `TEXTS` always reads the current table, and
 * everything that reads it during rendering is rendered again when the language changes.
 */
import { effect, signal, untracked } from '@preact/signals'
import type { Language } from '../../../contract/language.ts'
import { ENGLISH } from './english/english.ts'
import type { Texts } from './table.ts'

const shown = signal<{ readonly language: Language; readonly texts: Texts }>({
  language: 'en',
  texts: ENGLISH,
})

/**
 * Rows must be read when they are displayed: a row stored in a constant of a module would stay in the first
 * language. Groups may be stored.
 */
export const TEXTS: Texts = current(ENGLISH, () => shown.value.texts)

export function shownLanguage(): Language {
  return shown.value.language
}

/** Switches the texts to this language. Rejects if its table cannot be loaded, and then changes nothing. */
export async function showLanguage(language: Language): Promise<void> {
  shown.value = { language, texts: await tableOf(language) }
}

/** Runs at once, and again after each change of the language. */
export function onLanguage(write: () => void): void {
  effect(() => {
    void shown.value
    untracked(write)
  })
}

async function tableOf(language: Language): Promise<Texts> {
  switch (language) {
    case 'en':
      return ENGLISH
    case 'tr':
      return (await import('./turkish/turkish.ts')).TURKISH
  }
}

/** A group whose rows are read from the current table. */
function current<Group extends object>(shape: object, group: () => Group): Group {
  const rows = Object.entries(shape).map(([name, row]: [string, unknown]) => {
    const read = () => group()[name as keyof Group]
    const inner = typeof row === 'object' && row !== null ? current(row, read as () => object) : undefined
    return [name, { enumerable: true, get: inner === undefined ? read : () => inner }] as const
  })
  return Object.defineProperties({}, Object.fromEntries(rows)) as Group
}
