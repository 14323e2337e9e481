/**
 * Passwords that a guesser tries first. Nearly all passwords of twelve characters in published lists are made
 * of the same few words, of a repetition, or of a keyboard row, with digits and signs around them. This file
 * looks for these patterns instead of storing a list of millions.
 */

/** Words that lists of common passwords are made of. */
const WORDS =
  'password passwort passphrase parola sifre sifrem qwerty qwertz azerty letmein welcome admin administrator root user login master secret changeme default iloveyou love you me my princess sunshine football baseball basketball soccer hockey monkey dragon shadow superman batman starwars pokemon michael jordan jennifer jessica ashley daniel charlie computer internet trustno whatever freedom hello summer winter spring autumn january february march april june july august september october november december monday friday sunday galatasaray fenerbahce besiktas trabzonspor istanbul ankara izmir turkiye turkey mustafa kemal ataturk bitcoin ethereum crypto exchange trading trader money dollar account test testing demo guest temp abc asd qwe zxc asdf zxcv qaz wsx edc passw pass word access mustang ninja google facebook instagram chocolate cookie flower butterfly liverpool chelsea arsenal barcelona'.split(
    ' ',
  )
const ROWS = [
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
]
/** Characters that are used in place of letters. */
const LETTER_BY_SIGN: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
/** Minimum number of different letters that belong to nothing recognized. */
const UNKNOWN_MIN = 5

/**
 * `own` holds texts that a guesser who knows the person tries: the email address, the name of the exchange.
 */
export function isCommonPassword(password: string, own: readonly string[]): boolean {
  const plain = password.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i')
  if (new Set(plain).size < 5 || isRepetition(plain)) return true
  const known = [...own.flatMap(wordsOf), ...WORDS].sort((a, b) => b.length - a.length)
  return [plain, unsigned(plain)].some((text) => leftOf(text, known) < UNKNOWN_MIN)
}

/**
 * The number of different letters that belong to no known word and no keyboard row. Every guesser tries
 * digits and signs around words.
 */
function leftOf(text: string, known: readonly string[]): number {
  let left = text
  for (const row of ROWS) {
    const both = [row, [...row].reverse().join('')]
    for (const one of both)
      for (let length = one.length; length >= 4; length--)
        for (let at = 0; at + length <= one.length; at++)
          left = left.replaceAll(one.slice(at, at + length), ' ')
  }
  for (const word of known) left = left.replaceAll(word, ' ')
  return new Set(left.replace(/[^\p{L}]/gu, '')).size
}

function isRepetition(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length)
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return true
  }
  return false
}

function unsigned(text: string): string {
  return [...text].map((sign) => LETTER_BY_SIGN[sign] ?? sign).join('')
}

function wordsOf(own: string): readonly string[] {
  return own
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
}
