/** The results of a run, for people and as JSON. */
import type { Equivalent } from './equivalent.ts'
import type { Verdict } from './judge.ts'
import type { Change } from './mutant.ts'

export type Judged = Change & {
  readonly file: string
  readonly operator: string
  readonly verdict: Verdict
  /** Why it is equivalent, if it is listed as such. */
  readonly reason?: string
}

export type Score = {
  readonly killed: number
  readonly endless: number
  readonly survived: number
  /** Listed as equivalent with a reason, and not counted. */
  readonly explained: number
  readonly refused: number
  /** Percentage of killed mutants among those counted; 100 if there are none. */
  readonly percent: number
}

export function scoreOf(judged: readonly Judged[]): Score {
  const killed = judged.filter(({ verdict }) => verdict.kind === 'killed').length
  const endless = judged.filter(({ verdict }) => verdict.kind === 'killed' && verdict.endless).length
  const refused = judged.filter(({ verdict }) => verdict.kind === 'refused').length
  const unnoticed = judged.filter(({ verdict }) => verdict.kind === 'survived')
  const explained = unnoticed.filter(({ reason }) => reason !== undefined).length
  const survived = unnoticed.length - explained
  const counted = killed + survived
  return {
    killed,
    endless,
    survived,
    explained,
    refused,
    percent: counted === 0 ? 100 : (100 * killed) / counted,
  }
}

/** One row for each file, worst first, and the sum. */
export function table(judged: readonly Judged[]): string {
  const files = [...new Set(judged.map(({ file }) => file))]
  const rows = files
    .map((file) => [file, scoreOf(judged.filter((one) => one.file === file))] as const)
    .sort(([, one], [, other]) => one.percent - other.percent)
  const lines = [...rows, ['all', scoreOf(judged)] as const].map(([name, score]) =>
    [
      name.padEnd(44),
      `${score.percent.toFixed(1)} %`.padStart(8),
      ...[score.killed, score.survived, score.explained, score.refused].map((count) =>
        String(count).padStart(9),
      ),
    ].join(''),
  )
  const head = `${''.padEnd(44)}${'score'.padStart(8)}   killed survived explained  refused`
  return [head, ...lines].join('\n')
}

/** Mutants that no test detected and no entry explains, as differences. */
export function survivors(judged: readonly Judged[]): string {
  return judged
    .filter(({ verdict, reason }) => verdict.kind === 'survived' && reason === undefined)
    .map(
      ({ file, line, operator, before, after }) =>
        `${file}:${line} (${operator})\n  - ${before}\n  + ${after}`,
    )
    .join('\n')
}

/** Wrong entries of the list of equivalent mutants: their mutant is killed, or there is none. */
export function complaints(judged: readonly Judged[], old: readonly Equivalent[]): readonly string[] {
  const killed = judged.filter(({ verdict, reason }) => verdict.kind === 'killed' && reason !== undefined)
  return [
    ...old.map(
      ({ file, before }) => `${file}: listed as equivalent, and no such mutant is made any more: ${before}`,
    ),
    ...killed.map(({ file, after }) => `${file}: listed as equivalent, and killed: ${after}`),
  ]
}

/** Slips that the compiler refuses: they test nothing. */
export function uncompiled(judged: readonly Judged[]): readonly string[] {
  return judged
    .filter(({ verdict }) => verdict.kind === 'refused')
    .map(({ file, operator }) => `${file}: the slip "${operator}" does not compile`)
}
