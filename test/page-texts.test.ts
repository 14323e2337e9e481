/**
 * Texts that a person reads on the trading page are in the tables of src/web/shared/texts, in each language.
 * A program cannot decide what a person reads; this test detects text that looks like words in the document
 * and in the sources of the page.
 */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ENGLISH } from '../src/web/shared/texts/english/english.ts'
import { TURKISH } from '../src/web/shared/texts/turkish/turkish.ts'
import { ENGLISH_PANE_TEXTS } from '../src/web/trade/customer/panes/pane-texts-english.ts'
import { TURKISH_PANE_TEXTS } from '../src/web/trade/customer/panes/pane-texts-turkish.ts'
import { codeOnly, lineAt } from '../tools/lib/source-text.mjs'

const WEB = path.resolve(import.meta.dir, '../src/web/market')

/** Texts without a language: the name of the exchange, and of its time zone. */
const NAMES = ['Bourse', 'UTC']
const LETTERS = /\p{L}/u

/** Two words, or one word that starts with a capital and continues with small letters. */
const WORDS = /\p{L}{2,},? +\p{L}{2,}|^\s*\p{Lu}\p{Ll}+[\s.:…!?]*$/u

/**
 * Text that looks like words but is read only by programs: keys of the keyboard, headers, types, kinds of
 * series, the shell's commands; and the notice of the chart library's author.
 */
const NO_WORDS =
  /^(?:Shift|Arrow(?:Left|Right|Up|Down)|Enter|Escape|Tab|Home|End|Delete|Backspace|Page(?:Up|Down)|Content-Type|Candlestick|Histogram|Bar|Line|best (?:first|last)|TradingView Lightweight Charts™| Copyright © \d+ TradingView, Inc\.|[\s\S]*openssl[\s\S]*)$/

/** A line with an error of the program. */
const ERROR = /Error\(/
const UNREAD =
  /(?:class(?:Name)?\s*=\s*|\bquerySelector(?:All)?(?:<\w+>)?\(|closest\(|matches\(|matchMedia\(|\brel = |import\(|from )$/

type Finding = string

function wordsInDocument(html: string): Finding[] {
  const found: Finding[] = []
  let depthUnread = 0
  const rewriter = new HTMLRewriter()
    .on('script, style, noscript, title', {
      element(element) {
        depthUnread++
        element.onEndTag(() => {
          depthUnread--
        })
      },
    })
    .on('*', {
      element(element) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'value']) {
          const text = element.getAttribute(name)
          if (text !== null && LETTERS.test(text)) found.push(`${name}="${text}"`)
        }
      },
      text({ text }) {
        if (depthUnread === 0 && LETTERS.test(text) && !NAMES.includes(text.trim())) found.push(text.trim())
      },
    })
  rewriter.transform(html)
  return found
}

/** Contents of strings and templates that look like words, with the code before them. */
function wordsInSource(text: string): { readonly words: string; readonly position: number }[] {
  const code = codeOnly(text)
  const strings = [...code.matchAll(/(['"`])([ \n]*)\1|(['"`}])([ \n]{2,})(?=[`$])/g)].flatMap((match) => {
    const start = match.index + 1
    const words = text.slice(start, match.index + match[0].length - (match[1] === undefined ? 0 : 1))
    const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', start))
    return [{ words, position: start, line, before: code.slice(Math.max(0, start - 40), start - 1) }]
  })
  const inMarkup = [...code.matchAll(/>([^<>{}()=;]*\p{L}[^<>{}()=;]*)<\//gu)].map((match) => ({
    words: match[1] ?? '',
    position: match.index + 1,
  }))
  return [
    ...strings.filter(
      ({ words, line, before }) =>
        WORDS.test(words) && !NO_WORDS.test(words) && !ERROR.test(line) && !UNREAD.test(before),
    ),
    ...inMarkup,
  ]
}

const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture|arbitraries)\.ts$/.test(file))
  .filter((file) => !/^(?:operator|texts)\//.test(file))

test('the document of the trading page has no texts of its own, and each row that it names is a text of the table', () => {
  const html = readFileSync(path.join(WEB, 'index.html'), 'utf8')
  expect(wordsInDocument(html)).toEqual([])
  const named = [...html.matchAll(/\sdata-(?:text|label|placeholder)="([^"]*)"/g)].map(([, row = '']) => row)
  expect(named.length).toBeGreaterThan(30)
  const textAt = (row: string) =>
    row.split('.').reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)?.[name], ENGLISH)
  expect(named.filter((row) => typeof textAt(row) !== 'string')).toEqual([])
})

test('no source of the trading page has visible texts outside of the tables', () => {
  expect(sources.length).toBeGreaterThan(50)
  const findings = sources.flatMap((file) => {
    const text = readFileSync(path.join(WEB, file), 'utf8')
    return wordsInSource(text).map(
      ({ words, position }) => `${file}:${lineAt(text, position)}: ${words.trim()}`,
    )
  })
  expect(findings).toEqual([])
})

test.each([
  ["setText(word, 'Connecting')"],
  ["setText(line, 'The chart cannot be loaded.')"],
  ['const text = `$' + '{count} open orders`'],
  ['element.title = `Waiting for $' + '{name} and others`'],
  ['return <button type="button">Cancel all</button>'],
  ['return <h3>Balances</h3>'],
  ['return <input aria-label="Search markets" />'],
])('texts are found in a source that says %p', (source) => {
  expect(wordsInSource(source)).not.toEqual([])
})

test('texts are found in a document, in its attributes too', () => {
  expect(
    wordsInDocument('<p>Try now</p><input placeholder="Search"><noscript>Allow scripts</noscript>'),
  ).toEqual(['Try now', 'placeholder="Search"'])
})

/**
 * Labels in this table that are not contained in the accessible name beside them: `cancel` and `cancelOf`.
 */
function labelsOutsideNames(table: object, place: string): Finding[] {
  return Object.entries(table).flatMap(([key, value]): Finding[] => {
    if (typeof value === 'object' && value !== null) return labelsOutsideNames(value, `${place}.${key}`)
    const nameOf: unknown = Object.getOwnPropertyDescriptor(table, `${key}Of`)?.value
    if (typeof value !== 'string' || typeof nameOf !== 'function') return []
    const name = String(nameOf('a', 'b', 'c'))
    // The first letter may be a capital in only one of them.
    return name.includes(value.slice(1)) ? [] : [`${place}.${key}: '${name}' without '${value}'`]
  })
}

test.each(
  Object.entries({
    english: ENGLISH,
    turkish: TURKISH,
    'english panes': ENGLISH_PANE_TEXTS,
    'turkish panes': TURKISH_PANE_TEXTS,
  }),
)('a button’s name for screen readers contains the text that it shows, in %s', (language, table) => {
  expect(labelsOutsideNames(table, language)).toEqual([])
})
