/**
 * The language of documents, messages and comments: plain technical English in the words of the field. Phrases that no
 * native speaker would say are refused everywhere; house words and bent constructions are counted, and their numbers only
 * shrink. Lines of prose have at most 160 characters, comments the width of the formatter; a page of docs/ has at most
 * 5,000 words.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dir, '..')
const FORMATTER_WIDTH: number = JSON.parse(readFileSync(path.join(ROOT, 'biome.json'), 'utf8')).formatter
  .lineWidth
const PROSE_WIDTH = 160
/** Of one page of docs/, as `wc -w` counts. A longer one is cut by what its readers come to do. */
const PAGE_WORDS = 5000

/** Refused in every file; beside each, how it is said instead. */
const REFUSED: readonly (readonly [phrase: RegExp, plain: string])[] = [
  [/\bworld must come in\b/i, 'put TLS in front'],
  [/\bWho prefers a browser\b/, 'to use a browser, open ...'],
  [/\bgives its journal to nobody\b/, 'no standbys'],
  [/\bas far as one look at the node\b/, 'no problems found'],
  [/\bLacks nothing\b/, 'all components up'],
  [/`bourse backup` has made none\b/, 'no backup yet'],
  [/\bIn since the start\b/, 'deposits since ...'],
  [/\bhow manieth\b/i, 'the n-th'],
  [/\bof a course that nobody\b/, 'on a fork with no acknowledged commands'],
  [/\bTo be called\b/, 'must be called'],
  [/\bopens? nothing any more\b/, 'no longer works'],
  [/\bcame in by (?:him|them)sel/, 'signed up'],
  [/\bwhat the system says\b/, "the system's error"],
  [/\bWho (?:prefers|may come in)\b/, 'to do it, ...; who can sign up'],
  [/\bthe journal caused no such\b/, 'the journal has no such'],
  [/\b(?:is|stands) there (?:twice|already)\b/, 'appears twice; already exists'],
  [/\bgoes onto one\b/, 'a combining mark'],
  [/\bis not sent to\b/, 'unsupported protocol'],
  [/\bfailed attempts of it\b/, 'failed attempts'],
  [/\bas far as it shows\b/, 'a recognized mistake'],
  [/\bshown this once\b/, 'shown only once'],
  [/\bcancell(?:ed|ing)\b(?!\()/i, 'canceled, canceling'],
  [/\bby turns\b/i, 'alternately'],
  [/\bsince some moment\b/, 'since an arbitrary moment'],
]

/** A violation of each refused phrase: a phrase that finds none of these sentences would find nothing. */
const VIOLATIONS: readonly string[] = [
  'The world must come in over TLS. Who prefers a browser opens the page. Lacks nothing.',
  'It gives its journal to nobody. Nothing as far as one look at the node shows. In since the start: 5 BTC.',
  'Of this directory `bourse backup` has made none. The how manieth of its form it is.',
  'A claim of a course that nobody was answered from. To be called now and then, of customers who came in by themselves.',
  'Its key opens nothing any more. Throws what the system says when the port cannot be had.',
  'Key k is there twice, found a mark that goes onto one. http: is not sent to. Failed attempts of it: failed attempts of it.',
  'What is wrong, as far as it shows. Its code is shown this once. The order was cancelled.',
  'The history is made anew. Trade 3 stands in history, the journal caused no such trade.',
  'Both versions run by turns. Milliseconds since some moment.',
]

/** Counted; beside each, what to write instead. */
const COUNTED = {
  whoever: [/\bwhoever\b/gi, 'name who: the caller, an operator, the client'],
  nobody: [/\bnobody\b/gi, 'no client, no operator; or turn the sentence round'],
  wherever: [/\bwherever\b/gi, 'everywhere that, in each place where'],
  what: [/^What (?!is\b[^.]*\?)/g, 'begin with the noun: "The fields of ...", "Bytes of ..."'],
  told: [/\b(?:is|are|was|were|be) told\b/gi, 'is published, is sent, is notified'],
  mend: [/\bmend(?:s|ed|ing)?\b/gi, 'repair'],
  silence: [/\bsilence\b/gi, 'timeout of the leader'],
  standing: [/\bstanding\b/gi, 'status'],
  testimony: [/\btestimony\b/gi, 'check of the journal'],
  seeker: [/\bseekers?\b/gi, 'leader discovery'],
  desk: [/\bdesks?\b/gi, 'the part by its name'],
  chore: [/\bchores?\b/gi, 'background task'],
  forGood: [/\bfor (?:good|ever)\b(?! reason)/gi, 'permanently, forever'],
  allTheSame: [/\ball the same\b/gi, 'nevertheless'],
  somebody: [/\b(?:some|any|every)body\b/gi, 'a person, an operator, a client; or turn the sentence round'],
  takenIn: [/\btak(?:es?|en) in\b/gi, 'applied, accepted'],
  hadAnew: [/\b(?:can|cannot) be had\b|\banew\b/gi, 'is available; again'],
} as const satisfies Record<string, readonly [RegExp, string]>
type Counted = keyof typeof COUNTED

/** Largest number of each. A number is lowered with the text, and never raised. */
const MOST: Readonly<Record<'documents' | 'comments', Readonly<Record<Counted, number>>>> = {
  documents: {
    whoever: 0,
    nobody: 1,
    wherever: 0,
    what: 0,
    told: 1,
    mend: 1,
    silence: 0,
    standing: 0,
    testimony: 0,
    seeker: 0,
    desk: 0,
    chore: 0,
    forGood: 0,
    allTheSame: 0,
    somebody: 2,
    takenIn: 1,
    hadAnew: 2,
  },
  comments: {
    whoever: 1,
    nobody: 3,
    wherever: 0,
    what: 18,
    told: 3,
    mend: 0,
    silence: 1,
    standing: 0,
    testimony: 0,
    seeker: 0,
    desk: 0,
    chore: 0,
    forGood: 0,
    allTheSame: 1,
    somebody: 3,
    takenIn: 3,
    hadAnew: 1,
  },
}

/** Comment lines wider than the formatter's width, by folder; where a folder is not named, none. */
const WIDE_MOST: Readonly<Record<string, number>> = {
  clients: 1,
  'src/app': 3,
}

/** Bytes that are stored, recorded sessions, texts made from others, and what is wrong on purpose. */
const NOT_READ =
  /^(?:docs\/api\/|test\/(?:corpus\/(?:recorded|people|stored|between)|golden\/[^/]+\/|violations|language\.test)|package-lock)/

function files(extension: RegExp): readonly string[] {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  return stdout
    .toString()
    .trim()
    .split('\n')
    .filter((file) => extension.test(file) && !NOT_READ.test(file))
}

type Text = { readonly file: string; readonly text: string }

const texts = (extension: RegExp): readonly Text[] =>
  files(extension).flatMap((file) => {
    // A file that is moved just now is listed under its old name too.
    const text = Bun.file(path.join(ROOT, file)).size > 0 ? readFileSync(path.join(ROOT, file), 'utf8') : ''
    return [{ file, text }]
  })

const DOCUMENTS = texts(/\.md$/)
const SOURCES = texts(/\.(?:ts|tsx|mjs)$/)

/** Lines of prose: no tables, no code, no drawings, no line that is one link. */
function proseOf(markdown: string): readonly string[] {
  let isCode = false
  return markdown.split('\n').filter((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    return !isCode && !/^\s*[|`<]|^ {4}/.test(line) && /\S\s+\S/.test(line)
  })
}

/** Comments, each as one text: lines joined, without their signs. */
function commentsOf(source: string): readonly string[] {
  const found = source.match(/\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=\s)\/\/ .*$/gm) ?? []
  return found.map((comment) =>
    comment
      .replace(/^\s*\/\*\*?|\*\/\s*$/g, '')
      .replace(/^[ \t]*(?:\*|\/\/) ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

/** Comment lines that are wider than the formatter lets code be, but for drawings and what cannot be broken. */
function wideComments(source: string): readonly string[] {
  return source
    .split('\n')
    .filter((line) => line.length > FORMATTER_WIDTH && /^\s*(?:\*|\/\/|\/\*)/.test(line))
    .filter((line) => !/\S{60,}|\S {2,}\S/.test(line))
}

/** Documents with more words than a page may have. */
const longPages = (documents: readonly Text[]): readonly string[] =>
  documents
    .map(({ file, text }) => ({ file, words: text.match(/\S+/g)?.length ?? 0 }))
    .filter(({ words }) => words > PAGE_WORDS)
    .map(({ file, words }) => `${file}: ${words} words`)

const count = (list: readonly string[], [pattern]: readonly [RegExp, string]): number =>
  list.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)

function counts(list: readonly string[]): Record<Counted, number> {
  const entries = Object.entries(COUNTED).map(([word, entry]) => [word, count(list, entry)])
  return Object.fromEntries(entries)
}

describe('unidiomatic phrases', () => {
  test.each(REFUSED)('%p is written (say: %s)', (phrase) => {
    const holding = [...DOCUMENTS, ...SOURCES]
      .filter(({ text }) =>
        phrase.test(text.replace(/\*\*|\s*\n[\s*/]*/g, (found) => (found === '**' ? '' : ' '))),
      )
      .map(({ file }) => file)
    expect(holding).toEqual([])
  })
})

describe.each([
  ['documents', DOCUMENTS.map(({ text }) => proseOf(text).join(' '))],
  ['comments', SOURCES.flatMap(({ text }) => commentsOf(text))],
] as const)('the counted words in %s become fewer', (place, list) => {
  const found = counts(list)
  test.each(Object.entries(COUNTED))('%s is no more frequent than before', (word, [, plain]) => {
    expect({ word, plain, isMore: found[word as Counted] > MOST[place][word as Counted] }).toEqual({
      ...{ word, plain },
      isMore: false,
    })
  })
})

test.each(REFUSED)('the refused phrase %p has a committed violation that it finds', (phrase) => {
  expect(VIOLATIONS.filter((sentence) => phrase.test(sentence))).not.toEqual([])
})

test('a line of prose in documents has at most 160 characters', () => {
  const wide = DOCUMENTS.flatMap(({ file, text }) =>
    proseOf(text)
      .filter((line) => line.length > PROSE_WIDTH)
      .map((line) => `${file}: ${line}`),
  )
  expect(wide).toEqual([])
})

test('a document has at most 5,000 words', () => {
  expect(DOCUMENTS.length).toBeGreaterThan(100)
  expect(longPages(DOCUMENTS)).toEqual([])
})

test('a document with more than 5,000 words is found', () => {
  const page = (file: string, words: number): Text => ({
    file,
    text: '# Page\n\n'.concat('word\n'.repeat(words - 2)),
  })
  const pages = [
    page('docs/short.md', 5000),
    page('docs/reference/long.md', 5001),
    page('bench/notes/long.md', 9000),
  ]
  expect(longPages(pages)).toEqual(['docs/reference/long.md: 5001 words', 'bench/notes/long.md: 9000 words'])
})

test('a comment is no wider than the formatter lets code be', () => {
  const folderOf = (file: string): string => /^(?:src\/\w+|\w+)/.exec(file)?.[0] ?? ''
  const wide = SOURCES.flatMap(({ file, text }) => wideComments(text).map((line) => ({ file, line })))
  const tooMany = [...Map.groupBy(wide, ({ file }) => folderOf(file))]
    .filter(([folder, lines]) => lines.length > (WIDE_MOST[folder] ?? 0))
    .map(([folder, lines]) => `${folder}: ${lines.length}, for example ${lines[0]?.file}: ${lines[0]?.line}`)
  expect(tooMany).toEqual([])
})

test('prose, comments and their widths are found where they are', () => {
  expect(proseOf('A line.\n\n| a | table |\n\n```\nsome code\n```\n\n    more code\nAnother line.')).toEqual([
    'A line.',
    'Another line.',
  ])
  const source = '/**\n * Two lines\n * of it.\n */\ncode() // Behind it.\n// One\n// comment.\n'
  expect(commentsOf(source)).toEqual(['Two lines of it.', 'Behind it.', 'One comment.'])
  expect(wideComments(`// ${'word '.repeat(30)}\n// short\n`)).toHaveLength(1)
  expect(counts(['What whoever asks is told.'])).toMatchObject({ whoever: 1, what: 1, told: 1, mend: 0 })
  expect(REFUSED.filter(([phrase]) => phrase.test('the how manieth of its form it is'))).toHaveLength(1)
})
