/**
 * Puts mutants into a workspace one at a time and lets the tests of each stage speak, nearest first, until one fails.
 * Before its first mutant a stage runs with nothing changed: it must pass, and its time sets the limit for mutants.
 */
import type { Compiler } from './compiler.ts'
import { type Mutant, mutate } from './mutant.ts'
import { type Stage, stagesFor } from './stages.ts'
import type { Outcome, Workspace } from './workspace.ts'

/** A mutant may use so many times as much of a processor as the unchanged program took by the clock, and some more. */
const LIMIT_FACTOR = 3
const LIMIT_EXTRA_SECONDS = 10
const UNCHANGED_LIMIT_SECONDS = 600

export type Verdict =
  /** `by` is the stage that noticed; `endless` when the mutant ran or grew beyond its limits there. */
  | { readonly kind: 'killed'; readonly by: string; readonly endless: boolean }
  | { readonly kind: 'survived' }
  /** Caught by the compiler: says nothing of the tests and is not counted. */
  | { readonly kind: 'refused' }

export class Judge {
  readonly #workspace: Workspace
  readonly #compiler: Compiler
  /** In seconds of a processor. */
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
   * Runs every stage that has judged once more with nothing changed. Rejects when one fails: then the machine has
   * changed on the way, and nothing that was said is to be believed.
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
