/**
 * The visual form of a name: two names with the same form are confused at a glance
 * (docs/reference/admin-operations.md#names). Based on the skeletons of Unicode TS 39, restricted to the
 * common part: letters and digits of the Latin alphabet that look alike, upper and lower case, letters of
 * other alphabets that look like Latin ones, and punctuation. `m` and `w` are stored as `rn` and `vv`.
 */

/**
 * The first character of each row is the common form of the others. Within Latin `i`, `I`, `l`, `1` and `|`
 * have one form, and so have `0`, `o`, `O`.
 */
export const ALIKE: readonly (readonly [look: string, ...others: string[]])[] = [
  ['a', 'ɑ', 'а', 'α', 'ᴀ'],
  ['b', '8', 'ƅ', 'ʙ', 'в', 'β', 'ь', 'Β'],
  ['c', 'ᴄ', 'с', 'ς'],
  ['d', 'ԁ', 'ժ', 'ɗ'],
  ['e', 'е', 'ҽ', 'Ε', '℮', 'ᴇ'],
  ['f', 'ƒ', 'ϝ', 'ք'],
  ['g', 'ɡ', 'ց', 'ɢ'],
  ['h', 'һ', 'н', 'հ', 'Η', 'ʜ', 'Ꮒ'],
  ['j', 'ϳ', 'ј', 'ȷ', 'յ'],
  ['k', 'к', 'κ', 'ĸ', 'ᴋ', 'қ'],
  ['l', 'i', '1', '|', 'ı', 'ɩ', 'ɪ', 'ǀ', 'і', 'ӏ', 'ι', 'Ι', 'լ', 'ʟ', '∣', 'ا', '١', '۱'],
  ['n', 'ո', 'ռ', 'η', 'ɴ', 'Ν', 'п'],
  ['o', '0', 'о', 'ο', 'օ', 'σ', 'ᴏ', '٥', '۵', '०', '০', 'ס'],
  ['p', 'р', 'ρ', 'ᴘ', 'ҏ'],
  ['q', 'ԛ', 'գ', 'զ'],
  ['r', 'г', 'ᴦ', 'ʀ'],
  ['s', '5', 'ѕ', 'ꜱ', 'ƽ'],
  ['t', 'т', 'τ', 'Τ', 'ᴛ'],
  ['u', 'ս', 'υ', 'μ', 'ʋ', 'ᴜ', 'ц'],
  ['v', 'ν', 'ѵ', 'ᴠ'],
  ['x', 'х', 'χ', '×', '⨯'],
  ['y', 'у', 'ү', 'γ', 'ʏ', 'ɣ', 'Υ', 'ყ'],
  ['z', '2', 'ᴢ', 'Ζ', 'ʐ'],
  ['rn', 'm', 'м', 'ɱ', 'Μ', 'ᴍ'],
  ['vv', 'w', 'ѡ', 'ԝ', 'ᴡ', 'ω', 'ɯ', 'ա'],
  ['ae', 'æ', 'ӕ'],
  ['oe', 'œ'],
  ['ss', 'ß'],
  ['-', '‐', '‒', '–', '—', '−', 'ー', '一'],
  ['_', 'ˍ'],
  ["'", '’', '‘', '‛', 'ʼ', 'ʻ', 'ʹ', '′', '`', 'ʽ'],
  ['"', '“', '”', '„'],
  ['.', '٠', '۰', '·', '‧', '・'],
  [',', '‚', '٫'],
  [':', '∶', '׃', 'ː'],
  ['/', '⁄', '∕', '╱'],
  ['*', '∗', '⁎'],
  ['~', '∼'],
]

const SKELETON_BY_CHARACTER: ReadonlyMap<string, string> = new Map(
  ALIKE.flatMap(([look, ...others]) => others.map((other) => [other, look] as const)),
)

/**
 * The forms of the characters below U+0080, two elements each; the second is 0 if the form has one character.
 * Most names consist of these characters.
 */
const ASCII = 0x80
const ASCII_SKELETONS = Uint8Array.from({ length: 2 * ASCII }, (_, place) =>
  place % 2 < characterSkeleton(String.fromCharCode(place >> 1)).length
    ? characterSkeleton(String.fromCharCode(place >> 1)).charCodeAt(place % 2)
    : 0,
)

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** The skeleton of a name: two names look alike if their skeletons are equal. */
export function skeletonOf(name: string): string {
  let skeleton = ''
  for (const character of name.normalize('NFKD')) skeleton += characterSkeleton(character)
  return skeleton
}

/**
 * Existing names that look like a new one but are different. All names are compared, so this suits a few
 * thousand.
 */
export function namesLike(name: string, names: Iterable<string>): readonly string[] {
  const skeleton = skeletonOf(name)
  const alike: string[] = []
  for (const other of names) if (other !== name && skeletonOf(other) === skeleton) alike.push(other)
  return alike
}

/** A 32-bit hash that is equal for names with the same skeleton: FNV-1a of the skeleton. */
export function skeletonHash(name: string): number {
  let hash = FNV_OFFSET | 0
  const { length } = name
  for (let at = 0; at < length; at++) {
    const code = name.charCodeAt(at)
    if (code >= ASCII) return hashOf(skeletonOf(name))
    hash = Math.imul(hash ^ (ASCII_SKELETONS[2 * code] as number), FNV_PRIME)
    const second = ASCII_SKELETONS[2 * code + 1] as number
    if (second !== 0) hash = Math.imul(hash ^ second, FNV_PRIME)
  }
  return hash
}

function hashOf(skeleton: string): number {
  let hash = FNV_OFFSET | 0
  for (let at = 0; at < skeleton.length; at++) hash = Math.imul(hash ^ skeleton.charCodeAt(at), FNV_PRIME)
  return hash
}

/** A capital that does not look like its lower-case letter is in the table itself. */
function characterSkeleton(character: string): string {
  const small = character.toLowerCase()
  return SKELETON_BY_CHARACTER.get(character) ?? SKELETON_BY_CHARACTER.get(small) ?? small
}
