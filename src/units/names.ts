/**
 * Rules for new names (docs/reference/admin-operations.md#names). Existing names are not affected. Names
 * that cannot be distinguished visually are refused; names that can be confused cause a warning.
 */
import { codePointName, printable } from './printable.ts'

/** The rule that a new name violates, for the person who chose it; undefined if it is valid. */
export function nameProblem(name: string): string | undefined {
  if (name.normalize('NFC') !== name)
    return 'expected each letter in its composed form (Unicode NFC): other forms look the same'
  const hidden = [...name].find((character) => printable(character) !== character)
  if (hidden !== undefined)
    return `expected characters that can be seen and no space but U+0020, found ${codePointName(hidden)}`
  if (/^ | $| {2}/.test(name)) return 'expected no space at either end, and no two together'
  return /^\p{M}/u.test(name) ? 'expected a letter or a digit first, found a combining mark' : undefined
}

/** Scripts of most languages. A letter of any other script counts as belonging to one additional script. */
const SCRIPTS = [
  ...[
    'Latin',
    'Cyrillic',
    'Greek',
    'Han',
    'Hiragana',
    'Katakana',
    'Bopomofo',
    'Hangul',
    'Arabic',
    'Hebrew',
    'Thai',
    'Devanagari',
  ],
  ...[
    'Armenian',
    'Georgian',
    'Bengali',
    'Tamil',
    'Telugu',
    'Ethiopic',
    'Khmer',
    'Cherokee',
    'Coptic',
    'Lisu',
  ],
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const)

/** Scripts that one language uses together (Unicode TS 39, highly restrictive). */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

/**
 * Names in which every letter looks like a Latin one: Cyrillic, Greek and Armenian letters, letters of
 * scripts in which most do, and digits.
 */
const LIKE_LATIN =
  /^[\p{Script=Lisu}\p{Script=Cherokee}\p{Script=Coptic}\u053c\u0548\u054d\u054f\u0555\u0561\u0566\u0570\u0575\u0578\u057d\u0581\u0584\u0585\u056c\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0423\u0425\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04ae\u04bb\u04c0\u04cf\u0501\u051b\u051d\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd\u03c1\u03f2\u03f3\d ._@-]+$/u

/**
 * A mark on a letter of these scripts, which do not need one: letters with marks have single characters in
 * them. Other scripts are written with marks.
 */
const MARKED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}](\p{M})/u

/** The possible confusions of a new name, as sentences; empty if there are none. */
export function nameWarnings(name: string): string[] {
  const scripts = scriptsOf(name)
  const isMixed = scripts.length > 1 && !TOGETHER.some((known) => scripts.every((one) => known.includes(one)))
  if (isMixed)
    return [
      `the name mixes letters of several scripts (${scripts.join(', ')}): it can look like another name`,
    ]
  if (name.normalize('NFKC') !== name)
    return [
      `the name has characters that stand for others (${name.normalize('NFKC')}): it can look like another name`,
    ]
  const [, mark] = MARKED.exec(name) ?? []
  if (mark !== undefined)
    return [
      `the name has a letter with a diacritical mark (${codePointName(mark)}): it can look like another name`,
    ]
  if (scripts.length === 1 && scripts[0] !== 'Latin' && LIKE_LATIN.test(name))
    return [
      `every letter of the name is ${scripts[0]} and looks like a Latin one: it can be confused with another name`,
    ]
  return []
}

/** Maximum number of names in a warning. */
export const LIKES_NAMED = 3

/**
 * The warning for a new name that looks like existing ones; empty if there are none. `areShown` is whether
 * the caller may read the existing names.
 */
export function alikeWarnings(what: string, likes: readonly string[], areShown: boolean): string[] {
  if (likes.length === 0) return []
  const names = areShown
    ? ` (${likes
        .slice(0, LIKES_NAMED)
        .map((name) => printable(name))
        .join(', ')})`
    : ''
  return [`the name looks like that of another ${what}${names}: they can be confused`]
}

/**
 * The scripts of a name's letters, in the order of their first letters; digits, marks and punctuation belong
 * to every script.
 */
function scriptsOf(name: string): string[] {
  const found = new Set<string>()
  for (const [letter] of name.matchAll(/\p{L}/gu)) {
    if (/\p{Script=Common}|\p{Script=Inherited}/u.test(letter)) continue
    found.add(SCRIPTS.find(([, form]) => form.test(letter))?.[0] ?? 'another')
  }
  return [...found]
}
