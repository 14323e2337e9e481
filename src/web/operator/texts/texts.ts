/**
 * The texts for operators, in the chosen language. An English text is written in the code that displays it,
 * and is the key of its Turkish row: a text without a row does not compile. Text of the node (names, codes,
 * its own messages) is displayed unchanged.
 */
import { signal } from '@preact/signals'
import type { Language } from '../../../contract/language.ts'
import type { Translation } from './translation.ts'
import type { PAGE } from './turkish/page.ts'

/** A text of the page; `say` replaces the names in braces. */
export type Text = keyof typeof PAGE & string
/** A text with the values inserted. */
export type Said = string & { readonly said: true }

const shownNow = signal<{ readonly language: Language; readonly words: Translation | undefined }>({
  language: 'en',
  words: undefined,
})

export function shownLanguage(): Language {
  return shownNow.value.language
}

/** Undefined for English, whose texts are in the code. */
export function translation(): Translation | undefined {
  return shownNow.value.words
}

/** Rejects if the table cannot be loaded, and then changes nothing. */
export async function showLanguage(language: Language): Promise<void> {
  const words: Translation | undefined =
    language === 'en' ? undefined : (await import('./turkish/turkish.ts')).TURKISH
  shownNow.value = { language, words }
}

export function say(text: Text, values: Readonly<Record<string, string | number>> = {}): Said {
  return shown(String(text)).replace(/\{(\w+)\}/g, (mark, name: string) =>
    String(values[name] ?? mark),
  ) as Said
}

/**
 * The row with this name; `english` if there is none, or if the language is English. For texts that are
 * defined elsewhere under a code.
 */
export function named(name: string, english: string): string {
  const words: Readonly<Record<string, string>> | undefined = shownNow.value.words?.page
  return words !== undefined && Object.hasOwn(words, name) ? (words[name] ?? english) : english
}

/** A text that may be one of the page's, or one from the node. */
export function shown(text: string): string {
  const words: Readonly<Record<string, string>> | undefined = shownNow.value.words?.page
  return words !== undefined && Object.hasOwn(words, text) ? (words[text] ?? text) : text
}
