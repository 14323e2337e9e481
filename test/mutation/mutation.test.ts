/**
 * Tests of the tool: a mutant that must be killed is killed, one that changes nothing survives, and the list
 * of slips matches the code. The tool breaks a sample of its own here; long runs are `npm run mutants`.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Compiler } from './compiler.ts'
import { explanation, stale } from './equivalent.ts'
import { Judge } from './judge.ts'
import { changeOf, type Mutant, shuffled } from './mutant.ts'
import { mutantsOf } from './operators.ts'
import { complaints, type Judged, scoreOf } from './report.ts'
import { mutantOf, SLIPS } from './slips.ts'
import type { Stage } from './stages.ts'
import { Workspace } from './workspace.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const ROOT = path.resolve(import.meta.dir, '../..')
const SAMPLE = 'test/mutation/sample/rounding.ts'
const OWN_TESTS: Stage = { name: 'own tests', args: ['test/mutation/sample/check.ts'] }

const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
let workspace: Workspace
let compiler: Compiler
beforeAll(() => {
  workspace = new Workspace(ROOT)
  compiler = new Compiler(workspace.root)
})
afterAll(async () => {
  await compiler.close()
  workspace.remove()
})

describe('a mutant', () => {
  const mutantThatReads = async (after: string): Promise<Mutant> => {
    const text = workspace.read(SAMPLE)
    const mutants = mutantsOf(await compiler.read(SAMPLE), SAMPLE)
    return mutants.find((mutant) => changeOf(text, mutant).after === after) as Mutant
  }
  const verdictOn = async (after: string) =>
    new Judge(workspace, compiler).verdict(await mutantThatReads(after), [OWN_TESTS])

  test('that rounds in another direction is killed', async () => {
    const verdict = await verdictOn('return (2n * value - divisor) / (2n * divisor)')
    expect(verdict).toEqual({ kind: 'killed', by: 'own tests', endless: false })
  })

  test('that changes nothing survives', async () => {
    expect(await verdictOn('return one >= other ? one : other')).toEqual({ kind: 'survived' })
  })

  test('that the compiler refuses is not tried', async () => {
    const [mutant] = mutantsOf(await compiler.read(SAMPLE), SAMPLE)
    const refused = { ...mutant!, replacement: "''" }
    expect(await new Judge(workspace, compiler).verdict(refused, [OWN_TESTS])).toEqual({ kind: 'refused' })
  })

  test('is made in a copy: the checkout stays as it is', () => {
    expect(workspace.read(SAMPLE)).toBe(textOf(SAMPLE))
  })

  test('that never ends is ended', async () => {
    workspace.write('test/mutation/endless.ts', 'for (;;) {}')
    const { kind } = await workspace.run(['test/mutation/endless.ts'], 1)
    expect(kind).toBe('endless')
  })
})

test('equal seeds draw equal mutants, other seeds other ones', async () => {
  const mutants = mutantsOf(await compiler.read(SAMPLE), SAMPLE)
  expect(shuffled(mutants, 7)).toEqual(shuffled(mutants, 7))
  expect(shuffled(mutants, 7)).not.toEqual(shuffled(mutants, 8))
  expect(new Set(shuffled(mutants, 7))).toEqual(new Set(mutants))
})

test('every slip of the list has its place in the code', () => {
  const lost = SLIPS.filter((slip) => mutantOf(slip, textOf(slip.file)) === undefined)
  expect(lost.map(({ file, wrong }) => `${file}: ${wrong}`)).toEqual([])
})

test('a slip whose place is gone, or appears twice, fits no code', () => {
  const slip = { wrong: 'one too many', file: SAMPLE, before: 'a < b', after: 'a <= b' }
  expect(mutantOf(slip, 'if (a < b)')).toMatchObject({ start: 4, end: 9, replacement: 'a <= b' })
  expect(mutantOf(slip, 'if (a > b)')).toBeUndefined()
  expect(mutantOf(slip, 'if (a < b || a < b)')).toBeUndefined()
})

describe('the report', () => {
  const change = { file: SAMPLE, operator: 'operator', line: 1, before: 'a < b', after: 'a <= b' }
  const killed: Judged = { ...change, verdict: { kind: 'killed', by: 'own tests', endless: false } }
  const survived: Judged = { ...change, verdict: { kind: 'survived' } }
  const refused: Judged = { ...change, verdict: { kind: 'refused' } }
  const entry = { ...change, reason: 'nobody can tell' }

  test('counts the results of the tests, and neither those of the compiler nor explained mutants', () => {
    const judged = [killed, killed, killed, survived, refused, { ...survived, reason: entry.reason }]
    expect(scoreOf(judged)).toMatchObject({ killed: 3, survived: 1, explained: 1, refused: 1, percent: 75 })
  })

  test('reports an explanation whose mutant is killed, or no longer made', () => {
    expect(explanation([entry], SAMPLE, change)).toBe(entry)
    const gone = stale([entry], [SAMPLE], [{ ...change, after: 'a > b' }])
    expect(complaints([{ ...killed, reason: entry.reason }], gone)).toHaveLength(2)
    expect(complaints([killed, survived], stale([entry], [SAMPLE], [change]))).toEqual([])
  })
})
