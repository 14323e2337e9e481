/**
 * Text of others as it may be shown: what a terminal obeys, what turns the direction of a line and what nobody sees stands there as an
 * escape, `\u001b` say (docs/reference/cli.md#text-of-others). In JSON the escape means the same character, so JSON keeps its values.
 */

/**
 * Controls, format characters (bidi among them), ends of lines and paragraphs, lone surrogates, what is for private use, what a font
 * shows nothing for (tags, variation selectors, fillers), and every space but U+0020.
 */
const HIDDEN = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800`
const EVERY_HIDDEN = new RegExp(`[${HIDDEN}]|(?! )\\p{Zs}`, 'gu')
/** What no new text may have: as far as people write, in names of theirs and with emoji, nothing of it is needed. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u
/** The same without an end of a line, LF or CR LF. */
const HIDDEN_WITHIN_LINES = new RegExp(`(?!\\n|\\r\\n)(?:[${HIDDEN}]|(?! )\\p{Zs})`, 'gu')

/** On one line: ends of lines are escapes too. Shown again it stays as it is. */
export function printable(text: string): string {
  return text.replace(EVERY_HIDDEN, escaped)
}

/** Lines stay lines; all else is as in `printable`. */
export function printableLines(text: string): string {
  return text.replace(HIDDEN_WITHIN_LINES, escaped)
}

const HIDDEN_ON_PAGES = new RegExp(`(?!\\n|\\r\\n)[${HIDDEN}]`, 'gu')

/** As text on a page: lines stay, and every kind of space, since a page's own figures and dates have some; where names are told apart, `printable`. */
export function pageText(text: string): string {
  return text.replace(HIDDEN_ON_PAGES, escaped)
}

/** Every text in a value of JSON, at any depth, as `printable`; names of fields too. `lines`: fields at the top whose lines stay. */
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

/** The first character of a text that no new text may have, as `U+202E`; undefined: there is none. */
export function hiddenCharacter(text: string): string | undefined {
  const [found] = REFUSED.exec(text) ?? []
  return found === undefined ? undefined : codePointName(found)
}

/** `U+202E`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Lines that come in pieces, cut anywhere: `\r` and `\n` may stand in two of them. */
export class PrintablePieces {
  #held = ''

  /** What can be shown by now. */
  next(piece: string): string {
    const text = this.#held + piece
    const end = text.endsWith('\r') ? -1 : undefined
    this.#held = end === undefined ? '' : '\r'
    return printableLines(text.slice(0, end))
  }

  /** The rest, once the last piece has come. */
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
