/**
 * The compiler's own interface (`typescript/unstable/async`; TypeScript's exact version is pinned): reads a
 * file's syntax, and checks whether a changed file still compiles. A mutant that does not compile is caught
 * by `npm run check` and so is no measure of the tests.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/async'

/** One project over everything: only types matter here, not the rings. */
const CONFIG = 'tsconfig.mutation.json'
const CONFIG_TEXT = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    types: ['bun'],
    lib: ['ES2024', 'DOM'],
    noEmit: true,
    composite: false,
    incremental: false,
    emitDeclarationOnly: false,
    declaration: false,
  },
  include: ['src/**/*.ts', 'test/mutation/sample/*.ts'],
}
/**
 * Errors about code that is no longer used or reached: that is untidy, not wrong, and a person who breaks
 * code would not tidy up.
 */
const UNTIDY = new Set([6133, 6138, 6192, 6196, 6198, 7027])

export class Compiler {
  readonly #root: string
  readonly #api: API
  readonly #config: string

  /** `root` is a copy of the project that no other process writes to. */
  constructor(root: string) {
    this.#root = root
    this.#config = path.join(root, CONFIG)
    writeFileSync(this.#config, JSON.stringify(CONFIG_TEXT))
    this.#api = new API({ cwd: root })
  }

  /** The syntax of a file as it is on disk. */
  async read(file: string): Promise<SourceFile> {
    const { program } = await this.#project(file)
    const source = await program.getSourceFile(path.join(this.#root, file))
    if (source === undefined) throw new Error(`expected ${file} to be a source of the project`)
    return source
  }

  /** Whether a file as it is on disk compiles. */
  async passes(file: string): Promise<boolean> {
    const { program } = await this.#project(file)
    const whole = path.join(this.#root, file)
    const found = [
      ...(await program.getSyntacticDiagnostics(whole)),
      ...(await program.getSemanticDiagnostics(whole)),
    ]
    return found.every(({ code }) => UNTIDY.has(code))
  }

  async close(): Promise<void> {
    await this.#api.close()
  }

  async #project(file: string) {
    const changed = [path.join(this.#root, file)]
    const snapshot = await this.#api.updateSnapshot({
      openProjects: [this.#config],
      fileChanges: { changed },
    })
    const project = snapshot.getProject(this.#config)
    if (project === undefined) throw new Error(`expected the compiler to open ${this.#config}`)
    return project
  }
}
