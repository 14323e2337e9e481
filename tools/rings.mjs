/**
 * The ring tool: rules that neither the compiler nor Biome checks. Prints `file:line rule message` for each
 * violation and fails if there is one. `node tools/rings.mjs [root]`; without an argument, the root of this
 * checkout.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { importCycles } from './lib/import-cycles.mjs'
import {
  LAZY_FILES,
  LAZY_PACKAGES,
  mayImport,
  namesStorage,
  RINGS,
  ringOf,
  TEST_PACKAGES,
} from './lib/ring-map.mjs'
import { importsOfProgram } from './lib/second-opinion.mjs'
import { codeOnly, importsOf, lineAt } from './lib/source-text.mjs'

/** Tests and the code that they share: these are in no build and may import any ring. */
const TEST_FILE = /\.(?:test|contract|fixture|arbitraries|golden)\.ts$/
const SEARCHED = ['src', 'test', 'sim', 'bench']

/** Names that make an inner ring depend on the time and place of its run. */
const AMBIENT = [
  [/\bDate\b(?!\s*\.\s*(?:UTC|parse)\b)(?<!\bnew\s+Date)/g, 'the clock: take a TimeMs as an argument'],
  [/\bnew\s+Date\s*(?:\(\s*\)|(?![\s(]))/g, 'the clock: take a TimeMs as an argument'],
  [/\bMath\s*\.\s*random\b|\bMath\s*\[|=\s*Math\b(?!\s*\.)/g, 'randomness: take it as an argument'],
  [
    /\bMath\s*\.\s*(?:a?sinh?|a?cosh?|a?tanh?|atan2|exp|expm1|log|log2|log10|log1p|pow|cbrt|hypot)\b/g,
    'a function whose last digit differs between runtimes: use integers',
  ],
  [
    /\b(?:toLocale\w*|localeCompare)\b|\bIntl\b/g,
    'the locale of the machine: write the format out, compare with < and >',
  ],
  [/\b(?:WeakRef|FinalizationRegistry)\b/g, 'the time of garbage collection: nothing may depend on it'],
]

/** Folders in which import cycles are forbidden; elsewhere in test/ a file imports only its own support. */
const WITHOUT_CIRCLES = /^(?:src|sim|bench|test\/model)\//

/**
 * The runtime's timers, and the folders in which they must be guarded: code outside these folders runs for a
 * short time only.
 */
const TIMER = /\b(setInterval|setTimeout)\s*\(/g
const WITH_GUARDED_TIMERS = /^src\/(?:app|server|storage|transport)\//
/**
 * Files that call a callback without a guard: an error that the callback throws is its caller's bug, and ends
 * the process.
 */
const TIMER_PORTS = ['src/storage/scheduler.ts', 'src/server/stream/pace.ts']

/** A class of errors, and its name. */
const ERROR_CLASS = /\bclass\s+(\w+)\s+extends\s+\w*(?:Error|Fault)\b/g

/** The interface of the installable client: the one file that may re-export the declarations of others. */
const PACKAGE_ENTRY = 'src/client/index.ts'

/** An export must be declared in its file: this matches `export ... from`, and a list of imported names. */
const RE_EXPORT = /^export\s+(?:type\s+)?(?:\*|\{\s*\w)/gm

/** Files that create money and compute with it; independent checks elsewhere keep to plain bigints. */
const MONEY_FILES = ['src/units/quantities.ts', 'src/units/notional.ts', 'src/core/ledger/money.ts']

/** A cast to money of any value, except one that a codec has just read in its only form. */
const MONEY_CAST = /(?<!\.whole\(\)\)?)\s+as\s+(?:Amount|Notional)\b/g

/** A product, quotient or `multiply` of a price or a quantity with another figure. */
const MONEY_FORMULA =
  /\b[pP]rice\s*\*\s*\w*[qQ]uantity\b|\b[qQ]uantity\s*\*\s*\w*[pP]rice\b|\b(?:multiply|divideDown|divideUp)\s*\(|BigInt\((?:\w+\.)?(?:price|quantity)\)\s*[*/]/g

/** The audit adds money up with code of its own, so that an error in the formulas is detected. */
const INDEPENDENT = ['src/engine/audit/statements.ts', 'src/units/whole.ts']

/**
 * Folders in which text from outside arrives: it is parsed within bounds, or not at all. `web` and `client`
 * read only the text of their own server.
 */
const BOUNDED_JSON = /^src\/(?:server|storage|transport|app|cli|contract(?!\/publish\/)|engine|views|units)\//

/** The bounded parser itself, and a file that parses text which it wrote one line before. */
const PARSES_JSON = ['src/units/bounded-json.ts', 'src/server/stream/exact-values.ts']

/** Calls that parse JSON of any depth and any number of values. */
const UNBOUNDED_JSON =
  /\bJSON\s*(?:\?\.|\.)\s*parse\b|\bJSON\s*\[|\{[^{}]*\bparse\b[^{}]*\}\s*=\s*JSON\b|\.\s*json\s*\(\s*\)/g

/** Biome refuses `.only` and `.skip`; these are the runner's other ways of not running a test. */
const NOT_RUN = /\b(?:test|it|describe)\s*\.\s*(?:todo|failing|if|skipIf|todoIf)\b/g

/** The only file that may compile code from text, which it builds from field names and forms. */
const MAKES_CODE = 'src/units/shapes/shape-bytes.ts'
const CODE_OF_TEXT = /\b(?:Async|Generator)?Function\s*\(|\beval\s*\(|\.\s*constructor\s*\(/g

/**
 * The files through which text leaves the program: each must escape the characters that control a terminal
 * (`src/units/printable.ts`).
 */
const PRINTING = ['output', 'screen', 'confirm', 'log'].map((name) => `src/app/process/${name}.ts`)
/** The file that joins the parts of the program: it passes on the function that draws. */
const JOINED = 'src/app/main.ts'

const PRINTS =
  /\bprocess\s*\.\s*(?:stdout|stderr)\b(?!\s*\.\s*(?:isTTY|columns|rows)\b)|\{[^{}]*\bstd(?:out|err)\b[^{}]*\}\s*=\s*process\b|\bBun\s*\.\s*std(?:out|err)\b|\bconsole\b|\bwriteSync\s*\(\s*(?:[12]\b|STANDARD_)|\bdrawOn(?:Output|Error)\b|\bpino\b(?:\s*\.\s*\w+)?\s*\(/g

function filesUnder(directory) {
  const files = []
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name)
    if (entry.isDirectory()) files.push(...filesUnder(full))
    else if (entry.name.endsWith('.ts') || entry.name.endsWith('.tsx')) files.push(full)
  }
  return files
}

function exists(directory) {
  try {
    readdirSync(directory)
    return true
  } catch {
    return false
  }
}

/** `{ file, line, rule, message }` for everything in the project at `root` that a rule forbids. */
function findViolations(root) {
  const found = []
  /** The imports of each file from other files of the checkout, type-only imports included. */
  const importsByFile = new Map()
  for (const top of SEARCHED) {
    const directory = path.join(root, top)
    if (!exists(directory)) continue
    for (const full of filesUnder(directory)) {
      const file = path.relative(root, full).replaceAll(path.sep, '/')
      if (file.startsWith('test/violations/')) continue
      checkFile(root, file, found, importsByFile)
    }
  }
  checkCycles(new Map([...importsByFile].filter(([file]) => WITHOUT_CIRCLES.test(file))), found)
  checkSecondOpinion(importsByFile, found)
  return found
}

function checkFile(root, file, found, importsByFile) {
  const text = readFileSync(path.join(root, file), 'utf8')
  const code = codeOnly(text)
  const report = (position, rule, message) => {
    found.push({ file, line: lineAt(text, position), rule, message })
  }
  checkTests(code, report)
  checkErrorNames(code, report)
  if (!TEST_FILE.test(file)) checkTimers(file, code, report)
  if (file !== PACKAGE_ENTRY) checkReExports(code, report)
  const imports = importsOf(text, code)
  importsByFile.set(file, targetsOf(file, text, imports))
  checkMoney(file, code, report)
  checkJson(file, code, report)
  if (!file.startsWith('src/')) return
  checkPrinting(file, code, report)
  if (file !== MAKES_CODE && !TEST_FILE.test(file)) checkCode(code, report)
  const inSource = file.slice('src/'.length)
  const ring = ringOf(inSource)
  if (ring === undefined) {
    const known = Object.keys(RINGS).join(', ')
    report(0, 'unknown-ring', `is in no ring (${known}); move it, or add a ring to tools/lib/ring-map.mjs`)
    return
  }
  checkImports(inSource, ring, imports, report)
  if (!RINGS[ring].ambient && !TEST_FILE.test(file)) checkAmbient(ring, code, report)
}

/** The target file of each relative import of a file, and its line. */
function targetsOf(file, text, imports) {
  const relative = imports.filter(({ specifier }) => specifier.startsWith('.'))
  return relative.map(({ specifier, position }) => ({
    target: path.posix.join(path.posix.dirname(file), specifier),
    line: lineAt(text, position),
  }))
}

function checkCycles(importsByFile, found) {
  for (const cycle of importCycles(importsByFile)) {
    const [{ file, line }] = cycle
    const way = [...cycle, cycle[0]].map((step) => step.file).join(' -> ')
    const message = `${way}: files import each other in a cycle; move what they share into a file of its own`
    found.push({ file, line, rule: 'import-cycle', message })
  }
}

function checkSecondOpinion(importsByFile, found) {
  for (const { file, line, target } of importsOfProgram(importsByFile)) {
    const message = `imports ${target}, but test/acceptance states the interface by hand: write out there what is expected`
    found.push({ file, line, rule: 'second-opinion', message })
  }
}

/** An exception that escapes from a timer ends the process. */
function checkTimers(file, code, report) {
  if (!WITH_GUARDED_TIMERS.test(file) || TIMER_PORTS.includes(file)) return
  for (const { 0: timer, 1: name, index } of code.matchAll(TIMER)) {
    const isGuarded = /^\s*guarded\(/.test(code.slice(index + timer.length))
    if (isGuarded) continue
    const message = `${name} has a callback that can end the process: use ${name}(guarded(..., onFault), ...), see src/units/guarded.ts`
    report(index, 'bare-timer', message)
  }
}

function checkErrorNames(code, report) {
  for (const { 1: name, index } of code.matchAll(ERROR_CLASS)) {
    if (/(?:Error|Fault)$/.test(name)) continue
    report(index, 'error-name', `${name} must end in Error (a caller's fault, a bug) or Fault (the world's)`)
  }
}

function checkReExports(code, report) {
  for (const { index } of code.matchAll(RE_EXPORT)) {
    report(index, 're-export', 're-exports a declaration of another file: import it from there')
  }
}

function checkTests(code, report) {
  for (const match of code.matchAll(NOT_RUN)) {
    report(match.index, 'not-run', `${match[0]} leaves tests out: every committed test must run everywhere`)
  }
}

function checkMoney(file, code, report) {
  if (MONEY_FILES.includes(file)) return
  for (const match of code.matchAll(MONEY_CAST)) {
    report(
      match.index,
      'money-cast',
      'creates an amount by a cast: use amount(), notional() or a money formula',
    )
  }
  if (!file.startsWith('src/') || TEST_FILE.test(file) || INDEPENDENT.includes(file)) return
  for (const match of code.matchAll(MONEY_FORMULA)) {
    report(
      match.index,
      'money-formula',
      `${match[0].trim()} is a money formula: it belongs in core/ledger/money.ts`,
    )
  }
}

function checkJson(file, code, report) {
  if (!BOUNDED_JSON.test(file) || TEST_FILE.test(file) || PARSES_JSON.includes(file)) return
  for (const { 0: found, index } of code.matchAll(UNBOUNDED_JSON)) {
    report(
      index,
      'unbounded-json',
      `${found.trim()} parses text of any depth and any number of values: use parseJson of src/units/bounded-json.ts`,
    )
  }
}

function checkPrinting(file, code, report) {
  if (TEST_FILE.test(file) || PRINTING.includes(file)) return
  for (const { 0: found, index } of code.matchAll(PRINTS)) {
    if (file === JOINED && found.startsWith('drawOn')) continue
    const message = `${found.trim()} prints without the function that escapes text: use print from src/app/process/output.ts`
    report(index, 'printing', message)
  }
}

function checkCode(code, report) {
  for (const { 0: found, index } of code.matchAll(CODE_OF_TEXT)) {
    report(index, 'makes-code', `${found.trim()} generates code from text: describe a shape (${MAKES_CODE})`)
  }
}

function checkImports(file, ring, imports, report) {
  const isTest = TEST_FILE.test(file)
  for (const { specifier, position, dynamic } of imports) {
    const isLazy =
      LAZY_PACKAGES.includes(specifier) ||
      LAZY_FILES.includes(path.posix.join(path.posix.dirname(file), specifier))
    if (dynamic && !isLazy) {
      report(
        position,
        'dynamic-import',
        `loads '${specifier}' at run time, unchecked by the rings: import it at the top`,
      )
    }
    if (specifier.startsWith('.')) {
      const target = path.posix.join(path.posix.dirname(file), specifier)
      const to = ringOf(target)
      const isSupport = isTest && /^\.\.\/(?:test|sim\/memory)\//.test(target)
      if (!isSupport && (to === undefined || target.startsWith('../'))) {
        report(position, 'outside', `imports '${specifier}', which is in no ring of src/`)
      } else if (!isTest && to !== undefined && !mayImport(ring, to)) {
        const allowed = RINGS[ring].imports.join(', ') || 'nothing'
        report(
          position,
          'ring-import',
          `${ring} may import ${allowed}, not ${to}: turn the dependency around`,
        )
      } else if (!isTest && namesStorage(file, target)) {
        report(position, 'storage', `imports a storage driver: use src/app/node/storage, which chooses it`)
      }
    } else {
      const allowed = isTest ? [...RINGS[ring].packages, ...TEST_PACKAGES] : RINGS[ring].packages
      if (!allowed.some((pattern) => pattern.test(specifier))) {
        report(
          position,
          'package',
          `${ring} may not use '${specifier}': do it in an outer ring, behind a port`,
        )
      }
    }
  }
}

function checkAmbient(ring, code, report) {
  for (const [pattern, message] of AMBIENT) {
    for (const match of code.matchAll(pattern)) {
      report(match.index, 'ambient', `${ring} uses ${match[0].trim()}, ${message}`)
    }
  }
}

function main() {
  const root = path.resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)))
  const violations = findViolations(root)
  for (const { file, line, rule, message } of violations) {
    process.stdout.write(`${file}:${line} ${rule}: ${message}\n`)
  }
  if (violations.length > 0) {
    process.stdout.write(`rings: ${violations.length} violation(s)\n`)
    process.exitCode = 1
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
