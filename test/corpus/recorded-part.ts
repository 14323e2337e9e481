/**
 * A part whose entries are texts that a session of today gives: the body of each answer, a help text, a table. Each has a name; a session that
 * does the same gives the same texts under the same names.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { exactValues } from '../../src/server/stream/exact-values.ts'
import { type Allowed, type Difference, parting, type RecordingPart } from './part.ts'

export type Recorded = { readonly kind: string; readonly text: string }

export type RecordedOptions = {
  readonly name: string
  /** `body`: never changes once it is recorded. `text`: changes with the language, and is recorded anew at will. */
  readonly aspect: 'body' | 'text'
  readonly run: () => Promise<readonly Recorded[]>
  /** What must have been answered with HTTP 200 at least once, by the code's own tables: the first words of its kind. */
  readonly needed?: readonly string[]
  /** Further entries of the code's own tables that the session lacks. */
  readonly lacking?: (texts: ReadonlyMap<string, string>) => readonly string[]
}

const MARK = '== '
const LINE = '| '

export function recordedPart(options: RecordedOptions): RecordingPart {
  const { name, aspect, run, needed = [], lacking = () => [] } = options
  const file = path.join(import.meta.dir, `${name}.txt`)
  const committed = () => new Map(existsSync(file) ? parseTexts(readFileSync(file, 'utf8')) : [])
  const today = async () => named(await run())
  return {
    class: 'C',
    name,
    compare: async () => {
      const found = await today()
      const before = committed()
      return [
        ...[...before].flatMap(([kind, text]) => compareTexts(aspect, kind, text, found.get(kind))),
        ...[...found.keys()]
          .filter((kind) => !before.has(kind))
          .map((kind): Difference => ({ aspect: 'missing', kind, detail: 'not committed yet' })),
        ...[...needed.filter((words) => !isAnswered(found, words)), ...lacking(found)].map(
          (kind): Difference => ({ aspect: 'missing', kind, detail: 'the session does not have it' }),
        ),
      ]
    },
    record: async ({ anew }: Allowed) => {
      const found = await today()
      if (aspect === 'text' || anew.has('C')) return formatTexts(found)
      return formatTexts(new Map([...found, ...committed()]))
    },
  }
}

function isAnswered(texts: ReadonlyMap<string, string>, words: string): boolean {
  return [...texts].some(([kind, text]) => `${kind} `.startsWith(`${words} `) && text.startsWith('200'))
}

function compareTexts(
  aspect: RecordedOptions['aspect'],
  kind: string,
  expected: string,
  found: string | undefined,
): Difference[] {
  if (found === expected) return []
  const detail = found === undefined ? 'is not given any more' : parting(expected, found)
  return [{ aspect: found === undefined ? 'unknown' : aspect, kind, detail }]
}

/** A kind that comes again is numbered. */
function named(texts: readonly Recorded[]): Map<string, string> {
  const byKind = new Map<string, string>()
  for (const { kind, text } of texts) {
    let unique = kind
    for (let count = 2; byKind.has(unique); count++) unique = `${kind} #${count}`
    byKind.set(unique, text)
  }
  return byKind
}

/** A text of several lines is kept line by line. */
export function formatTexts(texts: ReadonlyMap<string, string>): string {
  const blocks = [...texts].map(([kind, text]) => {
    return [`${MARK}${kind}`, ...text.split('\n').map((line) => `${LINE}${line}`.trimEnd())].join('\n')
  })
  return `${blocks.join('\n\n')}\n`
}

export function parseTexts(file: string): [kind: string, text: string][] {
  return file
    .trimEnd()
    .split('\n\n')
    .map((block) => {
      const [head = '', ...lines] = block.split('\n')
      if (!head.startsWith(MARK)) throw new Error(`expected "${MARK}kind", found ${head}`)
      return [head.slice(MARK.length), lines.map((line) => line.slice(LINE.length)).join('\n')]
    })
}

/** A body for people to compare: a member a line. What stands in `texts` is cut out. */
export function bodyText(body: unknown, texts: readonly string[]): string {
  const shown = JSON.stringify(body, (name, value: unknown) => (texts.includes(name) ? '<text>' : value), 1)
  return shown ?? ''
}

/** The same of JSON, with each number as it is written there. */
export function jsonText(json: string, texts: readonly string[]): string {
  const [body] = exactValues(`[${json}]`)
  return bodyText(body, texts)
}
