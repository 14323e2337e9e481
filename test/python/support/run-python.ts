/** The machine's Python, as `npm test` found it. */
// @ts-expect-error The tools are plain JavaScript without types.
import { ensurePython } from '../../../tools/lib/python.mjs'

const python: { readonly file?: string; readonly reason?: string } = ensurePython()

/** Path of Python; if there is none, tests that call this are skipped. */
export function pythonFile(): string {
  if (python.file === undefined) throw new Error(python.reason)
  return python.file
}

export type PythonRun = { readonly cwd: string; readonly env?: Readonly<Record<string, string>> }

/** Runs Python to its end; resolves with its output and its exit code. Writes no compiled files. */
export async function runPython(args: readonly string[], { cwd, env = {} }: PythonRun) {
  const child = Bun.spawn([pythonFile(), ...args], {
    cwd,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out: out + err, code }
}
