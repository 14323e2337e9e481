/**
 * Text from outside in printable form: control characters, direction marks and invisible characters are
 * escaped, for example as `\u001b` (docs/reference/cli.md#text-from-others). In JSON the escape means the
 * same character, so JSON keeps its values.
 */

/**
 * Controls, format characters (bidi among them), ends of lines and paragraphs, lone surrogates, private-use
 * characters, characters without a glyph (tags, variation selectors, fillers), and every space except U+0020.
 */
const HIDDEN = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800`
const EVERY_HIDDEN = new RegExp(`[${HIDDEN}]|(?! )\\p{Zs}`, 'gu')
/** Characters that no new text may have: no language and no emoji needs them. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u
/** Like `HIDDEN`, but without the end of a line, LF or CR LF. */
const HIDDEN_WITHIN_LINES = new RegExp(`(?!\\n|\\r\\n)(?:[${HIDDEN}]|(?! )\\p{Zs})`, 'gu')

/** The text on one line: ends of lines are escaped too. Applying the function again changes nothing. */
export function printable(text: string): string {
  return text.replace(EVERY_HIDDEN, escaped)
}

/** Like `printable`, but ends of lines are kept. */
export function printableLines(text: string): string {
  return text.replace(HIDDEN_WITHIN_LINES, escaped)
}

const HIDDEN_ON_PAGES = new RegExp(`(?!\\n|\\r\\n)[${HIDDEN}]`, 'gu')

/**
 * For text on a page: line ends and all kinds of spaces are kept, since the page's own figures and dates use
 * some. To compare names, use `printable`.
 */
export function pageText(text: string): string {
  return text.replace(HIDDEN_ON_PAGES, escaped)
}

/**
 * Applies `printable` to every text in a JSON value at any depth, and to names of fields. `lines` are fields
 * at the top level whose line ends are kept.
 */
export function printableValue(value: unknown, lines: readonly string[] = []): unknown {
  if (typeof value === 'string') return printable(value)
  if (Array.isArray(value)) return value.map((one) => printableValue(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      printable(name),
      typeof one === 'string' && lines.includes(name) ? printableLines(one) : printableValue(one),
    ]),
  )
}

/** The first character that no new text may have, in the form `U+202E`; undefined if there is none. */
export function hiddenCharacter(text: string): string | undefined {
  const [found] = REFUSED.exec(text) ?? []
  return found === undefined ? undefined : codePointName(found)
}

/** A character in the form `U+202E`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Printable text from pieces that are cut at any point: `\r` and `\n` may be in different pieces. */
export class PrintablePieces {
  #held = ''

  /** The part that can already be shown. */
  next(piece: string): string {
    const text = this.#held + piece
    const end = text.endsWith('\r') ? -1 : undefined
    this.#held = end === undefined ? '' : '\r'
    return printableLines(text.slice(0, end))
  }

  /** The part that was held back, once the last piece has arrived. */
  end(): string {
    const rest = this.#held
    this.#held = ''
    return printableLines(rest)
  }
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
