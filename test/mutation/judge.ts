/**
 * Puts mutants into a workspace one at a time and runs the tests of each stage, nearest first, until one
 * fails. Before its first mutant a stage runs on the unchanged program: it must pass, and its duration sets
 * the limit for mutants.
 */
import type { Compiler } from './compiler.ts'
import { type Mutant, mutate } from './mutant.ts'
import { type Stage, stagesFor } from './stages.ts'
import type { Outcome, Workspace } from './workspace.ts'

/**
 * Factor of a mutant's limit of processor time over the duration of the unchanged program; a constant is
 * added.
 */
const LIMIT_FACTOR = 3
const LIMIT_EXTRA_SECONDS = 10
const UNCHANGED_LIMIT_SECONDS = 600

export type Verdict =
  /**
   * `by` is the stage that detected it; `endless` is true if the mutant exceeded its limits of time or memory
   * there.
   */
  | { readonly kind: 'killed'; readonly by: string; readonly endless: boolean }
  | { readonly kind: 'survived' }
  /** Caught by the compiler: not a measure of the tests, so not counted. */
  | { readonly kind: 'refused' }

export class Judge {
  readonly #workspace: Workspace
  readonly #compiler: Compiler
  /** In seconds of processor time. */
  readonly #limitByArgs = new Map<string, number>()
  readonly #stageByArgs = new Map<string, Stage>()

  constructor(workspace: Workspace, compiler: Compiler) {
    this.#workspace = workspace
    this.#compiler = compiler
  }

  async verdict(mutant: Mutant, stages: readonly Stage[] = stagesFor(mutant)): Promise<Verdict> {
    const text = this.#workspace.read(mutant.file)
    try {
      this.#workspace.write(mutant.file, mutate(text, mutant))
      if (!(await this.#compiler.passes(mutant.file))) return { kind: 'refused' }
      for (const stage of stages) {
        const { kind } = await this.#face(stage, mutant, text)
        if (kind !== 'passed') return { kind: 'killed', by: stage.name, endless: kind === 'endless' }
      }
      return { kind: 'survived' }
    } finally {
      this.#workspace.write(mutant.file, text)
    }
  }

  /**
   * Runs every used stage once more on the unchanged program. Rejects if one fails: then the machine changed
   * during the run, and no result is valid.
   */
  async confirm(): Promise<void> {
    for (const stage of this.#stageByArgs.values()) await this.#limitOf(stage)
  }

  async #face(stage: Stage, mutant: Mutant, text: string): Promise<Outcome> {
    const key = stage.args.join(' ')
    let limit = this.#limitByArgs.get(key)
    if (limit === undefined) {
      this.#workspace.write(mutant.file, text)
      limit = await this.#limitOf(stage)
      this.#limitByArgs.set(key, limit)
      this.#stageByArgs.set(key, stage)
      this.#workspace.write(mutant.file, mutate(text, mutant))
    }
    return this.#workspace.run(stage.args, limit)
  }

  async #limitOf(stage: Stage): Promise<number> {
    const { kind, seconds, output } = await this.#workspace.run(stage.args, UNCHANGED_LIMIT_SECONDS)
    if (kind === 'passed') return seconds * LIMIT_FACTOR + LIMIT_EXTRA_SECONDS
    throw new Error(
      `stage ${stage.name} must pass with nothing changed, and ${kind}:\n${output.slice(-3000)}`,
    )
  }
}
