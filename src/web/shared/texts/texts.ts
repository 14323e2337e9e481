/**
 * What a person reads on the trading page, in the language that is chosen: `TEXTS` always reads the table that is shown, and what reads it while it renders
 * renders again in another language.
 */
import { effect, signal, untracked } from '@preact/signals'
import type { Language } from '../../../wire/language.ts'
import { ENGLISH } from './english/english.ts'
import type { Texts } from './table.ts'

/** Each language's name in itself. */
export const LANGUAGE_NAMES: { readonly [L in Language]: string } = { en: 'English', tr: 'Türkçe' }

const shown = signal<{ readonly language: Language; readonly texts: Texts }>({
  language: 'en',
  texts: ENGLISH,
})

/** Rows are read where they are shown: one that is kept in a constant of a module stays in the language of its first day. Groups may be kept. */
export const TEXTS: Texts = current(ENGLISH, () => shown.value.texts)

export function shownLanguage(): Language {
  return shown.value.language
}

/** From now on texts are in this language. Rejects where its table cannot be loaded; then all stays as it was. */
export async function showLanguage(language: Language): Promise<void> {
  shown.value = { language, texts: await tableOf(language) }
}

/** Runs at once, and again with each other language. */
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

/** A group whose rows are those of the table that is shown. */
function current<Group extends object>(shape: object, group: () => Group): Group {
  const rows = Object.entries(shape).map(([name, row]: [string, unknown]) => {
    const read = () => group()[name as keyof Group]
    const inner = typeof row === 'object' && row !== null ? current(row, read as () => object) : undefined
    return [name, { enumerable: true, get: inner === undefined ? read : () => inner }] as const
  })
  return Object.defineProperties({}, Object.fromEntries(rows)) as Group
}
