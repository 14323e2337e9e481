/**
 * Fields common to many binary formats: an enum value as its position in a fixed list, an optional value, a
 * list with its length.
 */
import { type ByteReader, BytesFault, type ByteWriter } from './bytes.ts'
import { invariant } from './invariant.ts'

/** Writes one byte: the position of `word` in `words`, a list that grows only at its end. */
export function writeWord<W extends string>(w: ByteWriter, words: readonly W[], word: W): void {
  w.u8(wordIndex(words, word))
}

/** Reads a word written by `writeWord`; a position beyond the list is a `BytesFault`. */
export function readWord<W extends string>(r: ByteReader, words: readonly W[]): W {
  return wordAt(r, words, r.u8())
}

/** The position of `word` in `words`; a missing word is a bug of the caller. */
export function wordIndex<W extends string>(words: readonly W[], word: W): number {
  const index = placeIn(words, word)
  invariant(index >= 0, () => `expected one of ${words.join(', ')}, found ${word}`)
  return index
}

/**
 * The position of `word` in a short list, -1 if it is missing. `indexOf` would be a call, several for each
 * order (`npm run bench -- core`).
 */
export function placeIn<W extends string>(words: readonly W[], word: W): number {
  for (let i = 0; i < words.length; i++) if (words[i] === word) return i
  return -1
}

/**
 * The word at `index` of `words`, where `index` was just read from `r`; throws `BytesFault` if there is none.
 */
export function wordAt<W extends string>(r: ByteReader, words: readonly W[], index: number): W {
  const word = words[index]
  if (word === undefined) {
    throw new BytesFault(`expected 0 to ${words.length - 1} before byte ${r.at}, found ${index}`)
  }
  return word
}

/** Writes the length of `items`, then each. */
export function writeList<T>(
  w: ByteWriter,
  items: readonly T[],
  write: (w: ByteWriter, item: T) => void,
): void {
  w.uint(items.length)
  for (const item of items) write(w, item)
}

/**
 * Reads a list written by `writeList`. Memory is allocated as items are read, never in advance for a false
 * length.
 */
export function readList<T>(r: ByteReader, read: (r: ByteReader) => T): T[] {
  const items: T[] = []
  for (let left = r.uint(); left > 0; left--) items.push(read(r))
  return items
}
