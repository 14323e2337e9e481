/**
 * A comment that cites a rule or a measurement refers to a place in this repository: a page and the heading
 * that states the rule (`docs/reference/matching.md#commission`), or the benchmark's own command
 * (`npm run bench -- core`).
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Glob } from 'bun'
import { anchorsOf } from './support/anchors.ts'

const ROOT = path.join(import.meta.dir, '..')
const SOURCES = new Glob('{src,test,sim,bench,tools,packaging}/**/*.{ts,mjs}')
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
const PAGE =
  /(?<![\w./-])((?:(?:docs|bench|packaging|sim|src|test|tools)\/[\w./-]*|ARCHITECTURE)\.md)(?:#([\p{L}\p{N}_-]+))?/gu
const BENCHMARK = /npm run bench -- ([a-z-]+)/g
const UNFOLLOWABLE: readonly RegExp[] = [
  /\bdecisions(?::| \(?["“])/i,
  /\binterface(?:'s)? \d/i,
  /\(bench:|`bench` [a-z]/,
  /\b(?:interface|contract|specification) (?:says|tells|states|documents)\b/i,
]

/** The benchmarks of `npm run bench`: each is a program that `bench/main.ts` loads. */
const QUESTIONS = [
  ...readFileSync(path.join(ROOT, 'bench/main.ts'), 'utf8').matchAll(/from '\.\/([a-z-]+)\.ts'/g),
].map(([, question]) => question)

/** Citations that cannot be followed: each place that does not exist, and each citation without a place. */
function citationFaults(source: string): string[] {
  const faults: string[] = []
  // A comment's lines are joined, so that a citation may be broken at the end of a line.
  const comments = (source.match(COMMENT) ?? []).map((comment) => comment.replace(/\s*\n\s*\*?\s*/g, ' '))
  for (const comment of comments) {
    for (const [cited, file = '', anchor] of comment.matchAll(PAGE)) {
      const page = path.join(ROOT, file)
      if (!existsSync(page) || (anchor !== undefined && !anchorsOf(page).has(anchor))) faults.push(cited)
    }
    for (const [cited, question = ''] of comment.matchAll(BENCHMARK)) {
      if (!QUESTIONS.includes(question)) faults.push(cited)
    }
    for (const form of UNFOLLOWABLE) faults.push(...(form.exec(comment) ?? []))
  }
  return faults
}

test('every citation in a comment leads to a page, a heading or a benchmark of this repository', () => {
  const files = [...SOURCES.scanSync({ cwd: ROOT })]
  const sources = files.map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))
  const faults = sources.flatMap(({ file, text }) =>
    citationFaults(text).map((citation) => `${file}: ${citation}`),
  )
  expect(faults).toEqual([])
  expect(sources.filter(({ text }) => text.includes('docs/reference/http.md#')).length).toBeGreaterThan(30)
})

describe('a citation that cannot be followed is found', () => {
  test.each([
    ['a page that is not there', 'docs/reference/htpp.md#commission'],
    ['a heading that its page does not have', 'docs/reference/http.md#comission'],
    ['a page of benchmarks that is not there', 'bench/nowhere.md'],
    ['a benchmark that there is not', 'npm run bench -- nothing'],
    ['a list of decisions by its heading', 'decisions:'],
    ['a list of decisions by a quotation', 'decisions "'],
    ['a list of decisions in brackets', 'decisions ("'],
    ['a section of a document elsewhere', 'interface 4'],
    ['a benchmark without its command', '(bench:'],
    ['a benchmark beside its command', '`bench` c'],
    ['a document elsewhere', 'interface says'],
  ])('%s', (_, citation) => {
    // The text after the citation is a typical continuation.
    expect(citationFaults(`/** Half up (${citation} Money"). */`)).toEqual([citation])
    expect(citationFaults(`code() // Half up, ${citation} Money")`)).toEqual([citation])
    expect(citationFaults(`const text = '${citation} Money'`)).toEqual([])
  })

  test('where the line breaks inside it', () => {
    expect(citationFaults('/**\n * Half up (decisions\n * "Money").\n */')).toEqual(['decisions "'])
  })

  test('and one that can be followed is not', () => {
    const followed = [
      'docs/reference/matching.md#commission',
      'docs/reference/errors.md',
      'npm run bench -- core',
    ]
    for (const citation of followed) expect(citationFaults(`// Half up (${citation}).`)).toEqual([])
  })
})
