/**
 * Repeated timers and threads that were started in this process during an observation and are still running.
 * For tests of code that must end everything that it started.
 */

export class LeftRunning implements Disposable {
  readonly #timers = new Map<unknown, string>()
  readonly #workers = new Map<Worker, string>()
  readonly #restore: () => void

  /** Observes from now on, until it is disposed of. */
  constructor() {
    const { setInterval: begin, clearInterval: end, Worker: Thread } = globalThis
    const timers = this.#timers
    const workers = this.#workers
    const where = (): string => new Error().stack?.split('\n').slice(3, 5).join(' ') ?? ''
    globalThis.setInterval = ((...given: Parameters<typeof begin>) => {
      const timer = begin(...given)
      timers.set(timer, where())
      return timer
    }) as typeof begin
    globalThis.clearInterval = ((timer: Parameters<typeof end>[0]) => {
      timers.delete(timer)
      end(timer)
    }) as typeof end
    globalThis.Worker = class extends Thread {
      constructor(...given: ConstructorParameters<typeof Thread>) {
        super(...given)
        workers.set(this, String(given[0]))
        this.addEventListener('close', () => workers.delete(this))
      }
    }
    this.#restore = () =>
      Object.assign(globalThis, { setInterval: begin, clearInterval: end, Worker: Thread })
  }

  /** Where each timer or thread that is still running was started. */
  get all(): readonly string[] {
    return [...this.#timers.values(), ...this.#workers.values()]
  }

  /** The running threads, by the end of their code's file name. */
  workers(file: string): readonly Worker[] {
    return [...this.#workers].flatMap(([worker, code]) => (code.endsWith(file) ? [worker] : []))
  }

  [Symbol.dispose](): void {
    this.#restore()
  }
}
