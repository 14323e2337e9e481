/**
 * `npm run count`: the amount of code per folder, the long files and functions, and the number of type casts.
 * `--diff A B`: the files that a change from commit A to commit B touches; `--fact WORD`: the files of the
 * program that contain a name. docs/development.md has the results.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { byFolder, countFile, isProductionCode, kindOfFile, names } from './lib/code-count.mjs'
import { notUnderstood, readProgram } from './lib/program.mjs'
import { ensureInstalled, ROOT } from './lib/setup.mjs'

const FILE_LINES_MAX = 500
const COMMAND = 'npm run count --'
const { values, words } = readProgram({
  command: COMMAND,
  about:
    'Counts the lines of code by folder, the long files and functions, and the casts; or lists what a change touches.',
  words: '[checkout, or with --diff a commit]',
  options: {
    depth: { kind: 'whole', default: 2, help: 'number of folder levels to show' },
    functions: { kind: 'whole', default: 60, help: 'number of lines above which a function is long' },
    diff: {
      kind: 'text',
      help: 'a commit: lists what changed since it, up to the commit given, or HEAD',
    },
    fact: { kind: 'text', help: 'a name: lists the files of the program whose code contains it' },
  },
})
if (words.length > 1) notUnderstood(COMMAND, `takes one checkout or commit, found ${words.join(' ')}`)
const root = values.diff === undefined ? path.resolve(words[0] ?? ROOT) : process.cwd()
const say = (line) => process.stdout.write(`${line}\n`)
const grouped = (count) => count.toLocaleString('en-US').padStart(10)

if (values.diff !== undefined) showDiff(values.diff, words[0] ?? 'HEAD')
else if (values.fact !== undefined) showFact(values.fact)
else showAll()

function git(...line) {
  return execFileSync('git', line, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }).trimEnd()
}

/** Files that are committed or not ignored. */
function productionFiles() {
  const listed = git('ls-files', '--cached', '--others', '--exclude-standard').split('\n')
  return listed
    .filter(isProductionCode)
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
}

function showAll() {
  const counts = productionFiles().map(({ file, text }) => ({ file, ...countFile(text) }))
  say(`${'code'.padStart(10)}${'characters'.padStart(12)}${'files'.padStart(8)}`)
  for (const { folder, files, code, characters } of byFolder(counts, values.depth))
    say(`${grouped(code)}  ${grouped(characters)}${String(files).padStart(8)}  ${folder}`)
  const sum = (of) => counts.reduce((all, count) => all + of(count), 0)
  say(
    `${grouped(sum(({ code }) => code))}  ${grouped(sum(({ characters }) => characters))}${String(counts.length).padStart(8)}  all`,
  )
  const long = counts.filter(({ lines }) => lines > FILE_LINES_MAX)
  say(`\nfiles above ${FILE_LINES_MAX} lines: ${long.length}`)
  for (const { file, lines } of long) say(`  ${lines}  ${file}`)
  showFunctions(counts.map(({ file }) => file))
  for (const name of Object.keys(counts[0]?.casts ?? {}))
    say(`uses of ${name}: ${sum(({ casts }) => casts[name])}`)
}

/** Biome counts the lines of functions, with the rule that `npm run check` uses. */
function showFunctions(files) {
  ensureInstalled()
  const config = mkdtempSync(path.join(tmpdir(), 'bourse-count-'))
  const rule = { level: 'error', options: { maxLines: values.functions } }
  const linter = { rules: { preset: 'none', complexity: { noExcessiveLinesPerFunction: rule } } }
  writeFileSync(path.join(config, 'biome.json'), JSON.stringify({ linter, formatter: { enabled: false } }))
  const biome = path.join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const options = [`--config-path=${config}`, '--reporter=json', '--max-diagnostics=none']
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...options, ...files], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  rmSync(config, { recursive: true })
  const { diagnostics } = JSON.parse(stdout)
  const long = diagnostics.filter(
    ({ category }) => category === 'lint/complexity/noExcessiveLinesPerFunction',
  )
  say(`functions above ${values.functions} lines: ${long.length}`)
  for (const { message, location } of long)
    say(`  ${/\((\d+)\)/.exec(message)?.[1]}  ${location.path}:${location.start.line}`)
}

function showDiff(from, to) {
  const base = git('merge-base', from, to)
  const changed = git('diff', '--numstat', '--no-renames', base, to)
    .split('\n')
    .filter((line) => line !== '')
  const rows = changed.map((line) => {
    const [added = '0', removed = '0', file = ''] = line.split('\t')
    return { file, kind: kindOfFile(file), added: Number(added) || 0, removed: Number(removed) || 0 }
  })
  for (const kind of ['production', 'test', 'document', 'generated', 'other']) {
    const those = rows.filter((row) => row.kind === kind)
    const [added, removed] = ['added', 'removed'].map((of) => those.reduce((sum, row) => sum + row[of], 0))
    say(`${kind}: ${those.length} files, +${added} -${removed}`)
    for (const row of those) say(`  ${`+${row.added} -${row.removed}`.padEnd(12)}${row.file}`)
  }
}

function showFact(word) {
  const files = productionFiles().filter(({ text }) => names(text, word))
  say(`${word} occurs in ${files.length} files of the program`)
  for (const { file } of files) say(`  ${file}`)
}
