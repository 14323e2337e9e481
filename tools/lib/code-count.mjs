/**
 * How much code a file has, and what of it is counted: for `npm run count`. Types stand in code-count.d.mts.
 */
import { codeOnly, withoutComments } from './source-text.mjs'

const CODE_FILE = /\.(?:ts|tsx|mts|mjs|js)$/
const TEST_FILE = /\.(?:test|contract|fixture|arbitraries|golden)\.tsx?$/
/** What is delivered. */
const PRODUCTION = /^(?:src|clients\/ccxt)\//
/** Recorded or written by a program. */
const GENERATED =
  /^(?:(?:docs\/api|src\/client\/interface|test\/corpus\/(?:stored|between|people|recorded)|test\/golden\/journal-[^/]*|test\/browser\/pictures\/pinned)\/|clients\/ccxt\/src\/error-by-reason\.js$)/
const TESTS = /^(?:test|sim|bench|clients\/python\/tests)\//
const DOCUMENTS = /(?:^docs\/|^bench\/.*\.md$|\.md$)/

/** `import ...`, over as many lines as it takes, and `export ... from`. */
const IMPORT =
  /^(?:import\b(?!\s*[(.])|export\s+(?:type\s+)?(?:\*|\{)[^}]*\}?\s*from\b)[^'"]*(['"])[^'"]*\1[^\n]*$/gm

/** What a type can be cast past, in code without texts. */
const CASTS = {
  'as never': /\bas\s+never\b/g,
  any: /(?:[:<|&,(]\s*|\bas\s+|=>\s*)any\b(?!\s*[(.:])|\bany\[\]/g,
  'as unknown as': /\bas\s+unknown\s+as\b/g,
}

/** What a file is counted as: `production`, `generated`, `test`, `document` or `other`. */
export function kindOfFile(file) {
  if (GENERATED.test(file)) return 'generated'
  if (TESTS.test(file) || TEST_FILE.test(file)) return DOCUMENTS.test(file) ? 'document' : 'test'
  if (DOCUMENTS.test(file)) return 'document'
  return PRODUCTION.test(file) ? 'production' : 'other'
}

/** Whether a file is code of what is delivered. */
export function isProductionCode(file) {
  return CODE_FILE.test(file) && kindOfFile(file) === 'production'
}

/**
 * Of a file's text: `lines` in all, `code` lines without comments, blanks and imports, `characters` of these lines without spaces, which
 * grow with them where lines are made denser, and `casts` by name. The inside of a template of several lines is code.
 */
export function countFile(text) {
  const code = withoutComments(text).replace(IMPORT, '')
  const lines = code.split('\n').filter((line) => line.trim() !== '')
  const bare = codeOnly(text)
  return {
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    code: lines.length,
    characters: lines.join('').replace(/\s/g, '').length,
    casts: Object.fromEntries(
      Object.entries(CASTS).map(([name, pattern]) => [name, [...bare.matchAll(pattern)].length]),
    ),
  }
}

/** Whether a word stands in the code of a file, also within a longer name: a fact's name. Texts count, comments do not. */
export function names(text, word) {
  return withoutComments(text).toLowerCase().includes(word.toLowerCase())
}

/** The sums of `counts`, by folder down to `depth`: each folder with all below it, in the order of names. */
export function byFolder(counts, depth) {
  const sums = new Map()
  for (const { file, code, characters } of counts) {
    const parts = file.split('/').slice(0, -1)
    for (let length = 1; length <= Math.min(depth, parts.length); length++) {
      const folder = parts.slice(0, length).join('/')
      const sum = sums.get(folder) ?? { folder, files: 0, code: 0, characters: 0 }
      sums.set(folder, {
        folder,
        files: sum.files + 1,
        code: sum.code + code,
        characters: sum.characters + characters,
      })
    }
  }
  return [...sums.values()].sort((one, other) => (one.folder < other.folder ? -1 : 1))
}
