/** Modules that are loaded with the files of a process, for tests of parts that are switched off. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dir, '../..')
const transpilers = {
  ts: new Bun.Transpiler({ loader: 'ts' }),
  tsx: new Bun.Transpiler({ loader: 'tsx' }),
}

export const PROCESSES_OF_A_NODE: readonly string[] = [
  'src/app/main.ts',
  'src/app/serve.ts',
  'src/app/gateways/gateway-child.ts',
  'src/app/gateways/gateway-fleet.ts',
]

/** All modules that are loaded with these files; not those that a file imports while it runs. */
export function loadedWith(entries: readonly string[]): Set<string> {
  const found = new Set<string>()
  const pending = [...entries]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue
    found.add(file)
    const transpiler = transpilers[file.endsWith('x') ? 'tsx' : 'ts']
    for (const { path: name, kind } of transpiler.scanImports(readFileSync(path.join(ROOT, file), 'utf8'))) {
      if (kind === 'import-statement' && /^\..*\.tsx?$/.test(name))
        pending.push(path.posix.join(path.posix.dirname(file), name))
    }
  }
  return found
}
