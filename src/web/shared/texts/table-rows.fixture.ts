/** The rows of a table of texts, and the rules that the tables of two languages must follow. */

/** Each argument of a row is one of these characters, which occur in no text. */
const GIVEN_FIRST = 0xe000

export type Row = { readonly path: string; readonly text: string; readonly given: number }

export function rowsOf(table: object, path = ''): Row[] {
  return Object.entries(table).flatMap(([name, row]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`
    if (typeof row === 'string') return [{ path: at, text: row, given: 0 }]
    if (typeof row === 'object' && row !== null) return rowsOf(row, at)
    const write = row as (...values: readonly string[]) => string
    const values = Array.from({ length: write.length }, (_, index) =>
      String.fromCharCode(GIVEN_FIRST + index),
    )
    return [{ path: at, text: write(...values), given: write.length }]
  })
}

/**
 * A sentence for each fault; none if the tables agree. `equal`: paths of rows that have the same text in both
 * languages.
 */
export function translationFaults(
  english: readonly Row[],
  turkish: readonly Row[],
  equal: readonly string[],
): readonly string[] {
  const all = [...english, ...turkish]
  const textByPath = new Map(english.map(({ path, text }) => [path, text]))
  const turkishPaths = new Set(turkish.map(({ path }) => path))
  const named = (fault: string, rows: readonly Row[]) => rows.map(({ path }) => `${path} ${fault}`)
  return [
    ...named(
      'is missing in Turkish',
      english.filter(({ path }) => !turkishPaths.has(path)),
    ),
    ...named(
      'is missing in English',
      turkish.filter(({ path }) => !textByPath.has(path)),
    ),
    ...named(
      'is empty, or has spaces around it',
      all.filter(({ text }) => text.trim() === '' || text !== text.trim()),
    ),
    ...named(
      'is the same in both languages',
      turkish.filter(({ path, text }) => textByPath.get(path) === text && !equal.includes(path)),
    ),
    ...named(
      'does not show all that it is given',
      all.filter(({ text, given }) =>
        Array.from({ length: given }, (_, index) => String.fromCharCode(GIVEN_FIRST + index)).some(
          (value) => !text.includes(value),
        ),
      ),
    ),
    // The suffix would depend on how the inserted text is pronounced.
    ...named(
      'hangs a Turkish suffix on what it is given',
      turkish.filter(({ text }) => /[\u{e000}-\u{e00f}](?:['’]|\p{L})|\p{L}[\u{e000}-\u{e00f}]/u.test(text)),
    ),
    ...named(
      'has a Turkish plural behind a number',
      turkish.filter(({ text }) => /(?:\d|[\u{e000}-\u{e00f}])\s+\p{L}+l[ae]r(?!\p{L})/u.test(text)),
    ),
    ...named(
      'has a percent sign in the wrong place',
      english.filter(({ text }) => /\s%/.test(text)),
    ),
    ...named(
      'has a percent sign in the wrong place',
      turkish.filter(({ text }) => /[\d\u{e000}-\u{e00f}]\s*%(?!\d)/u.test(text)),
    ),
  ]
}
