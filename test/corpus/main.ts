/**
 * `npm run corpus`: compares the committed files under test/corpus with the code, and prints the differences,
 * class by class and kind by kind. `--write` adds missing entries and records again the entries that may
 * change (README.md).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { notUnderstood, readProgram } from '../../tools/lib/program.mjs'
import { recordNode } from './node-session.ts'
import { CLASSES, type CorpusClass, type Difference, type Part } from './part.ts'
import { PARTS } from './parts/all.ts'

const PROGRAM = {
  command: 'npm run corpus --',
  about:
    'Compares the corpus with what the code does today; what a change may alter, test/corpus/README.md says.',
  options: {
    write: { kind: 'flag', help: 'adds what is missing, and records anew what may change' },
    anew: { kind: 'text', help: 'with --write: a class that is recorded anew as a whole: A, B or C' },
    node: {
      kind: 'flag',
      help: 'first records a session of a real node anew, with the published files of today',
    },
    only: { kind: 'text', help: 'parts whose name has this text in it' },
  },
} as const
const { values } = readProgram(PROGRAM)
const classes = Object.keys(CLASSES) as CorpusClass[]
const anew = classes.filter((name) => name === values.anew)
if (values.anew !== undefined && (anew.length === 0 || !values.write))
  notUnderstood(PROGRAM.command, `--anew takes one of ${classes.join(', ')} and goes with --write`)
const parts = PARTS.filter(({ name }) => name.includes(values.only ?? ''))

if (values.node) await recordNode()
if (values.write) for (const part of parts) await write(part)
let count = 0
for (const name of classes) count += await show(name)
process.exit(count === 0 ? 0 : 1)

async function write(part: Part): Promise<void> {
  const text = await part.record?.({ anew: new Set(anew) })
  if (text === undefined) return
  const file = path.join(import.meta.dir, `${part.name}.txt`)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Prints the differences of one class; returns their number. */
async function show(name: CorpusClass): Promise<number> {
  let count = 0
  console.log(`${name}, ${CLASSES[name]}`)
  for (const part of parts.filter((each) => each.class === name)) {
    const differences = await part.compare()
    count += differences.length
    console.log(`  ${part.name}: ${differences.length === 0 ? 'no difference' : tally(differences)}`)
    for (const { aspect, kind, detail } of differences) console.log(`    ${kind}: ${aspect} ${detail}`)
  }
  return count
}

/** The number of differences of each aspect. */
function tally(differences: readonly Difference[]): string {
  const counts = Map.groupBy(differences, ({ aspect }) => aspect)
  return [...counts].map(([aspect, those]) => `${those.length} ${aspect}`).join(', ')
}
