/** A server under load in a separate process: starts it, reads its CPU time, and stops it. */
import path from 'node:path'
import { type CpuByRole, childrenCpuUs, childrenMainUs, cpuByRole } from './thread-cpu.ts'

const ROOT = path.join(import.meta.dir, '../..')

export class ServerProcess {
  readonly url: string
  readonly #process: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
  readonly #roles: readonly string[]

  /**
   * Starts a program of this checkout and waits until it reports its address. `roles` are those of its main
   * thread and its workers, see `cpuByRole`. `variables` are added to this process's environment.
   */
  static async start(
    program: string,
    args: readonly string[],
    roles: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<ServerProcess> {
    const command = [process.execPath, '--no-env-file', path.join(ROOT, program), ...args]
    const env = { ...process.env, ...variables }
    const child = Bun.spawn(command, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
    return new ServerProcess(child, await readyUrl(child.stdout), roles)
  }

  private constructor(
    child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>,
    url: string,
    roles: readonly string[],
  ) {
    this.#process = child
    this.url = url
    this.#roles = roles
  }

  get pid(): number {
    return this.#process.pid
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  /**
   * CPU time by thread; if the gateways are separate processes, also that of their main threads, and of their
   * other threads.
   */
  cpu(): CpuByRole | undefined {
    const { pid } = this.#process
    const threads = cpuByRole(pid, this.#roles)
    const children = childrenCpuUs(pid)
    const gateways = childrenMainUs(pid)
    if (threads === undefined || !children || gateways === undefined) return threads
    return { ...threads, gateways, gatewaysRuntime: children - gateways }
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM')
    await this.#process.exited
  }
}

async function readyUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true })
    const url = /ready at (http:\S+)\s/.exec(text)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`expected a server that gets ready, found: ${text}`)
}
